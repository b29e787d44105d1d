import { outputPrefixes } from '../model/namespaces.ts';
import { ascii } from './chunk-writer.ts';

export interface Namespace {
  /** Number in the table, from 0. */
  readonly index: number;
  readonly prefix: string;
  readonly iri: string;
  /** The IRI with its opening bracket. */
  readonly opening: Uint8Array;
  /** `prefix:` */
  readonly label: Uint8Array;
  /** `@prefix …` with its line end. */
  readonly declaration: Uint8Array;
}

/** The table, prepared for writing. */
export const namespaces: readonly Namespace[] = Object.entries(outputPrefixes).map(
  ([prefix, iri], index) => ({
    index,
    prefix,
    iri,
    opening: ascii(`<${iri}`),
    label: ascii(`${prefix}:`),
    declaration: ascii(`@prefix ${prefix}: <${iri}> .\n`),
  }),
);

const byLength: (readonly Namespace[] | undefined)[] = [];
for (const namespace of namespaces) {
  const { length } = namespace.opening;
  byLength[length] = [...(byLength[length] ?? []), namespace];
}

const SLASH = 0x2f;
const HASH = 0x23;
const DASH = 0x2d;

/**
 * ASCII letters, digits, `_` and `-`: characters of a plain local name, which must not begin with
 * `-`.
 */
const localCharacters = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(byte)) && byte < 0x80 ? 1 : 0,
);

/**
 * Returns where the local name of a bracketed IRI begins: after the last `/` or `#`; -1 if it has
 * no plain one.
 */
export function localNameStart(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 2;
  while (at > start && localCharacters[bytes[at]!] === 1) at--;
  const separated = bytes[at] === SLASH || bytes[at] === HASH;
  return separated && at + 1 < end - 1 && bytes[at + 1] !== DASH ? at + 1 : -1;
}

/** Returns the well-known namespace that equals the bracketed IRI up to `local`. */
export function namespaceOf(bytes: Uint8Array, start: number, local: number): Namespace | undefined {
  return byLength[local - start]?.find(({ opening }) => startsWith(bytes, start, opening));
}

function startsWith(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = wanted.length - 1; at >= 0; at--) {
    if (bytes[start + at] !== wanted[at]) return false;
  }
  return true;
}
