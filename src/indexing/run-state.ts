/**
 * How far an index is, as the target keeps it. A run writes the whole set of a program once, under
 * an id of its own; then the index follows the changes.
 */
export interface IndexState {
  /** Marks the documents of this run. Those of other runs are removed when it is complete. */
  readonly run: string;
  /** The commit with which the whole set began, or after which changes are to be read. */
  readonly position: string;
  /** Where to go on in the whole set; undefined once it has been written. */
  readonly cursor?: string | undefined;
  /** Whether the whole set has been written. */
  readonly complete: boolean;
}

/** Reads what `JSON.stringify` made of a state. Returns undefined for any other text. */
export function parseState(text: string): IndexState | undefined {
  try {
    const state = JSON.parse(text) as Partial<Record<keyof IndexState, unknown>> | null;
    const { run, position, cursor, complete } = state ?? {};
    if (typeof run !== 'string' || typeof position !== 'string' || typeof complete !== 'boolean') {
      return undefined;
    }
    return { run, position, complete, ...(typeof cursor === 'string' && { cursor }) };
  } catch {
    return undefined;
  }
}
