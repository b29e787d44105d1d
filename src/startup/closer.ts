/** Closes one part. `graceMs`: how long its work in progress may continue, in milliseconds. */
type CloseStep = (graceMs: number) => unknown;

/** Closes the parts of a server in the reverse order of `add`, and only once. */
export class Closer {
  readonly #groups: Readonly<Record<string, CloseStep>>[] = [];
  #closed: Promise<void> | undefined;

  /** Adds parts by name. Those of one call are closed at the same time. */
  add(parts: Readonly<Record<string, CloseStep>>): void {
    this.#groups.push(parts);
  }

  /**
   * A part that fails to close does not keep the others open. At the end an `AggregateError` names
   * the parts that failed and has their errors.
   */
  close(graceMs: number): Promise<void> {
    this.#closed ??= this.#closeAll(graceMs);
    return this.#closed;
  }

  async #closeAll(graceMs: number): Promise<void> {
    const failures: CloseFailure[] = [];
    for (const parts of this.#groups.toReversed()) {
      const closing = Object.entries(parts).map(([name, close]) => closePart(name, close, graceMs));
      failures.push(...(await Promise.all(closing)).filter((failure) => failure !== undefined));
    }
    if (failures.length === 0) return;
    const list = failures.map(({ name, error }) => `${name} (${messageOf(error)})`).join(', ');
    throw new AggregateError(
      failures.map(({ error }) => error),
      `Could not close: ${list}.`,
    );
  }
}

interface CloseFailure {
  readonly name: string;
  readonly error: unknown;
}

async function closePart(name: string, close: CloseStep, graceMs: number): Promise<CloseFailure | undefined> {
  try {
    await close(graceMs);
    return undefined;
  } catch (error) {
    return { name, error };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
