import type { IndexState } from '../run-state.ts';

/** A document for a resource; null removes the resource's document. */
export interface DocumentChange {
  readonly uri: string;
  readonly document: Readonly<Record<string, unknown>> | null;
}

/**
 * Where the documents of one program go. Every call can be repeated: writing the same twice changes
 * nothing. Errors are `TargetError`; what else a call throws, such as a lost connection, may pass.
 */
export interface Target {
  /** The form of documents that the server is to write, a value of `format`. */
  readonly format: string;
  /** For messages. */
  readonly name: string;
  /** Returns what `write` stored last; undefined if there is no index of this program yet. */
  readState(): Promise<IndexState | undefined>;
  /**
   * Stores the documents, of the run that `state` names, and then the state. If it fails or is
   * interrupted, some of the documents may be stored, but not the state.
   */
  write(changes: readonly DocumentChange[], state: IndexState): Promise<void>;
  /** Removes the documents of all other runs of the program. */
  removeOtherRuns(run: string): Promise<void>;
}

/** A target refuses what it is sent, and would refuse it again. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** A target refuses a request because it is too large. */
export class TooLargeError extends TargetError {}

/** Sends the changes at once, or in smaller pieces as far as the target demands that. */
export async function sendInPieces(
  changes: readonly DocumentChange[],
  send: (some: readonly DocumentChange[]) => Promise<void>,
): Promise<void> {
  try {
    await send(changes);
  } catch (error) {
    if (!(error instanceof TooLargeError) || changes.length < 2) throw error;
    const middle = changes.length >>> 1;
    await sendInPieces(changes.slice(0, middle), send);
    await sendInPieces(changes.slice(middle), send);
  }
}
