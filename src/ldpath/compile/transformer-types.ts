import { XSD } from '../../rdf/model/term.ts';

/** The types that values can be converted to (ldpath 4), without their namespace. */
const transformerNames = [
  'string',
  'anyURI',
  'decimal',
  'integer',
  'long',
  'int',
  'short',
  'byte',
  'double',
  'float',
  'boolean',
  'dateTime',
  'date',
  'time',
  'duration',
] as const;

export type TransformerName = (typeof transformerNames)[number];

/** Their IRIs. */
export const transformerTypes: readonly string[] = transformerNames.map((name) => XSD + name);

const types: ReadonlySet<string> = new Set(transformerTypes);

export function isTransformerType(iri: string): boolean {
  return types.has(iri);
}
