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

/** The format of states. Those of early releases do not name it. */
export const STATE_FORMAT = 1;

/** The text of a state that a target keeps, with what else it has. */
export function stateText(state: IndexState & { readonly program?: string }): string {
  return JSON.stringify({ format: STATE_FORMAT, ...state });
}

/** What to say of a text that is not a state. */
export const UNREADABLE = 'If a newer release of Pathpool has written it, use that release';

/** Reads a text of `stateText`. Returns undefined for another text, and for a newer format. */
export function parseState(text: string): IndexState | undefined {
  try {
    const state = JSON.parse(text) as Partial<Record<keyof IndexState | 'format', unknown>> | null;
    const { format = STATE_FORMAT, run, position, cursor, complete } = state ?? {};
    if (format !== STATE_FORMAT) return undefined;
    if (typeof run !== 'string' || typeof position !== 'string' || typeof complete !== 'boolean') {
      return undefined;
    }
    return { run, position, complete, ...(typeof cursor === 'string' && { cursor }) };
  } catch {
    return undefined;
  }
}
