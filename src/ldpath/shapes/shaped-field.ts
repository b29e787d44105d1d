import type { EvaluationContext } from '../evaluate/context.ts';
import type { ValueMode } from './value-mode.ts';
import { type ConvertedType, convertedType, type ValueReader } from './value-reader.ts';

/** What shapes know of a field. A path is one field. */
export interface ShapedField {
  readonly name: string;
  /** Undefined to leave the terms as they are. */
  readonly type: ConvertedType | undefined;
  /** Whether only the first value counts: `(multiValued = "false")`. */
  readonly single: boolean;
}

/** The field that stands for a path. */
export const pathField: ShapedField = { name: 'value', type: undefined, single: false };

/** `type`: IRI of the transformer. */
export function shapedField(
  name: string,
  type: string | undefined,
  configuration: ReadonlyMap<string, string>,
): ShapedField {
  const single = configuration.get('multiValued')?.toLowerCase() === 'false';
  return { name, type: type === undefined ? undefined : convertedType(type), single };
}

/**
 * Returns how `writeStoredValues` writes the values of a field; undefined if they must be written
 * one by one.
 */
export function storedMode({ type }: ShapedField, unconverted: ValueMode): ValueMode | undefined {
  return type === undefined ? unconverted : type.mode;
}

/**
 * Reads the values on the stack, from `at` on, up to the next one that converts. Returns the
 * position after it, or 0 if none of them does.
 */
export function readNext(
  context: EvaluationContext,
  at: number,
  { type }: ShapedField,
  reader: ValueReader,
): number {
  const { stack } = context;
  for (let i = at; i < stack.length; i++) {
    const id = stack[i]!;
    if (type === undefined) {
      reader.read(context, id);
      return i + 1;
    }
    if (reader.readAs(type, context, id)) return i + 1;
  }
  return 0;
}
