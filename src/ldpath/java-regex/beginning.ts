/** What can be told of the beginning of all matches of a pattern. */
import { CharacterTest } from './character-test.ts';
import { type Tree, textStart } from './tree.ts';

/** Whether matches begin at the start of the text only. */
export function isAnchored(tree: Tree): boolean {
  switch (tree.kind) {
    case 'assertion':
      return tree === textStart;
    case 'sequence':
      return tree.items.length > 0 && isAnchored(tree.items[0]!);
    case 'choice':
      return tree.options.every(isAnchored);
    case 'group':
      return isAnchored(tree.body);
    default:
      return false;
  }
}

/** Every match begins with one of these characters. */
export class FirstCharacter {
  readonly characters: CharacterTest;
  readonly #pattern: RegExp;

  /** A set in the syntax of JavaScript. */
  constructor(source: string) {
    this.characters = new CharacterTest(source, 'u');
    this.#pattern = new RegExp(source, 'gu');
  }

  /** The next of them, from a place on; -1 if there are no more. */
  indexIn(text: string, from: number): number {
    this.#pattern.lastIndex = from;
    return this.#pattern.exec(text)?.index ?? -1;
  }
}

/** Null where a match may be empty, or begin with anything. */
export function firstCharacter(tree: Tree): FirstCharacter | null {
  const source = firstSet(tree);
  return source === null ? null : new FirstCharacter(source);
}

function firstSet(tree: Tree): string | null {
  switch (tree.kind) {
    case 'set':
      return tree.source;
    case 'sequence': {
      const first = tree.items.find(({ kind }) => kind !== 'assertion' && kind !== 'look');
      return first === undefined ? null : firstSet(first);
    }
    case 'choice':
      return firstOfAny(tree.options);
    case 'repetition':
      return tree.min === 0 ? null : firstSet(tree.body);
    case 'group':
    case 'atomic':
      return firstSet(tree.body);
    default:
      return null;
  }
}

function firstOfAny(options: readonly Tree[]): string | null {
  const sets = options.map(firstSet);
  return sets.length === 0 || sets.includes(null) ? null : `(?:${sets.join('|')})`;
}
