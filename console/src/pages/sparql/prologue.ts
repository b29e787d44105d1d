import { type Token, tokensOf } from './tokens.ts';

/** What the beginning of a query or update says, as far as it can be read without its grammar. */
interface Prologue {
  /** The declared prefixes, and their namespaces as they are written. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Offset after the last declaration; 0 without declarations. */
  readonly end: number;
  /** The keyword that follows, in upper case. */
  readonly keyword: string | undefined;
}

const UPDATES = new Set('INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH'.split(' '));

export function prologueOf(text: string): Prologue {
  const tokens = tokensOf(text).filter(({ kind }) => kind !== 'comment');
  const namespaces = new Map<string, string>();
  let end = 0;
  let at = 0;
  for (;;) {
    const keyword = tokens[at]?.text.toUpperCase();
    const last = keyword === 'PREFIX' ? tokens[at + 2] : keyword === 'BASE' ? tokens[at + 1] : undefined;
    if (last?.kind !== 'iri') return { namespaces, end, keyword };
    if (keyword === 'PREFIX') namespaces.set(tokens[at + 1]!.text.slice(0, -1), last.text.slice(1, -1));
    end = last.from + last.text.length;
    at = tokens.indexOf(last) + 1;
  }
}

/** Whether the text is an update. What is neither is sent as a query, and the server says why. */
export function isUpdate(text: string): boolean {
  const { keyword = '' } = prologueOf(text);
  return UPDATES.has(keyword);
}

/** A change of a text: `insert` at the offset `from`. */
interface Insertion {
  readonly from: number;
  readonly insert: string;
}

/** Returns what declares a prefix after the other declarations. */
export function declarationOf(text: string, prefixes: readonly (readonly [string, string])[]): Insertion {
  const { end } = prologueOf(text);
  const lines = prefixes.map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>`).join('\n');
  return end === 0 ? { from: 0, insert: `${lines}\n` } : { from: end, insert: `\n${lines}` };
}

/** Returns the prefixes that the text uses and does not declare, and that are known. */
export function undeclaredPrefixes(
  text: string,
  known: Readonly<Record<string, string>>,
): (readonly [string, string])[] {
  const { namespaces } = prologueOf(text);
  const used = new Set(tokensOf(text).filter(isName).map(prefixOf));
  return [...used].flatMap((prefix) => {
    const namespace = Object.hasOwn(known, prefix) ? known[prefix] : undefined;
    return namespace === undefined || namespaces.has(prefix) ? [] : [[prefix, namespace] as const];
  });
}

function isName({ kind }: Token): boolean {
  return kind === 'name';
}

function prefixOf({ text }: Token): string {
  return text.slice(0, text.indexOf(':'));
}
