import type { Model, Operation } from './operation.ts';

export type SetInput =
  | { readonly kind: 'read' }
  | { readonly kind: 'change'; readonly added: readonly string[]; readonly removed: readonly string[] };

/** What a read has returned; nothing for a change. */
export type SetOutput = readonly string[];

type SetOperation = Operation<SetInput, SetOutput>;

/** The triples of one graph, in order. A change removes before it adds. */
export const tripleSet: Model<readonly string[], SetInput, SetOutput> = {
  initial: [],
  nameOf: (state) => JSON.stringify(state),
  step: (state, input, output) => {
    if (input.kind === 'change') {
      const { added, removed } = input;
      return [...new Set([...state.filter((triple) => !removed.includes(triple)), ...added])].sort();
    }
    const isPossible = output === undefined || JSON.stringify([...output].sort()) === JSON.stringify(state);
    return isPossible ? state : undefined;
  },
  changesNothing: ({ kind }) => kind === 'read',
  isSeen,
};

/** Whether a later read has a triple that the change adds, or lacks one that it removes. */
function isSeen({ input, called }: SetOperation, history: readonly SetOperation[]): boolean {
  if (input.kind === 'read') return false;
  const { added, removed } = input;
  return history.some(({ input: { kind }, output, returned }) => {
    if (kind !== 'read' || output === undefined || returned < called) return false;
    return (
      added.some((triple) => output.includes(triple)) || removed.some((triple) => !output.includes(triple))
    );
  });
}
