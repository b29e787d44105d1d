/**
 * A regular expression as a tree. Character sets and assertions are in the syntax of JavaScript
 * with the flag `u`.
 */
export type Tree =
  | CharacterSet
  | Assertion
  | { readonly kind: 'sequence'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | Repetition
  | { readonly kind: 'group'; readonly number: number; readonly body: Tree }
  | Reference
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negative: boolean; readonly body: Tree }
  | { readonly kind: 'atomic'; readonly body: Tree };

/** Matches one code point. */
export interface CharacterSet {
  readonly kind: 'set';
  readonly source: string;
}

/** Matches the empty text. Depends only on a few characters on both sides. */
export interface Assertion {
  readonly kind: 'assertion';
  readonly source: string;
  /** Whether it holds only at the end of the text, or before a line terminator at the end. */
  readonly isNearEnd?: boolean;
}

export interface Repetition {
  readonly kind: 'repetition';
  readonly body: Tree;
  readonly min: number;
  /** May be infinite. */
  readonly max: number;
  readonly lazy: boolean;
}

/** A reference to the text of a group; fails while the group has no text. */
export interface Reference {
  readonly kind: 'reference';
  readonly group: number;
}

export function set(source: string): CharacterSet {
  return { kind: 'set', source };
}

export function sequence(...items: Tree[]): Tree {
  return items.length === 1 ? items[0]! : { kind: 'sequence', items };
}

export function choice(...options: Tree[]): Tree {
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

export function repetition(body: Tree, min: number, max: number, lazy = false): Tree {
  return { kind: 'repetition', body, min, max, lazy };
}

export const textStart: Assertion = { kind: 'assertion', source: '^' };

/** Returns the number of occurrences of Unicode properties. */
export function propertyCount(sources: Iterable<string>): number {
  let count = 0;
  for (const source of sources) count += source.split(/\\p/i).length - 1;
  return count;
}

/** Returns the sources of a tree's character sets and assertions. */
export function sources(tree: Tree): string[] {
  return 'source' in tree ? [tree.source] : parts(tree).flatMap(sources);
}

/** Returns the direct parts of a tree. */
export function parts(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'sequence':
      return tree.items;
    case 'choice':
      return tree.options;
    case 'set':
    case 'assertion':
    case 'reference':
      return [];
    default:
      return [tree.body];
  }
}

/** Whether a tree may match the empty text. */
export function canBeEmpty(tree: Tree): boolean {
  switch (tree.kind) {
    case 'set':
      return false;
    case 'sequence':
      return tree.items.every(canBeEmpty);
    case 'choice':
      return tree.options.some(canBeEmpty);
    case 'repetition':
      return tree.min === 0 || canBeEmpty(tree.body);
    case 'group':
    case 'atomic':
      return canBeEmpty(tree.body);
    default:
      return true;
  }
}
