/** What the address of the playground keeps: all that another person needs to see the same. */
export interface PlaygroundState {
  readonly program: string;
  /** Start resources: IRIs, and blank nodes as `_:<id>`. */
  readonly starts: readonly string[];
}

/** As many as one page can show side by side. */
export const MAX_STARTS = 20;

/** Returns undefined if the fragment of the address has no program and no start resource. */
export function stateIn(fragment: URLSearchParams): Partial<PlaygroundState> | undefined {
  const program = fragment.get('program');
  const starts = [...new Set(fragment.getAll('start'))].slice(0, MAX_STARTS);
  if (program === null && starts.length === 0) return undefined;
  return { ...(program !== null && { program }), starts };
}

export function fragmentOf({ program, starts }: PlaygroundState): string {
  const fragment = new URLSearchParams({ program });
  for (const start of starts) fragment.append('start', start);
  return `#${fragment}`;
}
