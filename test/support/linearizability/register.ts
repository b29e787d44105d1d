import type { Model, Operation } from './operation.ts';

/** The value of a register; null: there is none. */
export type Value = string | null;

export type RegisterInput =
  | { readonly kind: 'read' }
  | { readonly kind: 'write'; readonly value: Value }
  /** Writes `value` if the register has the value `expected`. */
  | { readonly kind: 'compare-and-set'; readonly expected: Value; readonly value: Value };

export type RegisterOutput =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'done' }
  /** The register had another value than the expected one. */
  | { readonly kind: 'refused' };

/** One register. */
export const register: Model<Value, RegisterInput, RegisterOutput> = {
  initial: null,
  nameOf: (state) => (state === null ? '' : `=${state}`),
  step: (state, input, output) => {
    if (input.kind === 'read') {
      return output === undefined || (output.kind === 'value' && output.value === state) ? state : undefined;
    }
    const isRefused = input.kind === 'compare-and-set' && input.expected !== state;
    if (output !== undefined && output.kind !== (isRefused ? 'refused' : 'done')) return undefined;
    return isRefused ? state : input.value;
  },
  changesNothing: (input, output) => input.kind === 'read' || output.kind === 'refused',
  isSeen: ({ input }, history) => input.kind !== 'read' && history.some((other) => names(other, input.value)),
};

/** Whether an operation has read the value, or changed it to another one. */
function names({ input, output }: Operation<RegisterInput, RegisterOutput>, value: Value): boolean {
  if (input.kind === 'compare-and-set') return input.expected === value && output?.kind !== 'refused';
  return output?.kind === 'value' && output.value === value;
}
