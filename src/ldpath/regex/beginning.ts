/** Determines how all matches of a pattern begin. */
import { ANY } from './character-class.ts';
import { CharacterTest } from './character-test.ts';
import { type Tree, textStart } from './tree.ts';

/** Whether all matches begin at the start of the text. */
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

/** The characters with which every match begins. */
export class FirstCharacter {
  readonly characters: CharacterTest;
  readonly #pattern: RegExp;

  /** `source`: a set in the syntax of JavaScript. */
  constructor(source: string) {
    this.characters = new CharacterTest(source, 'u');
    this.#pattern = new RegExp(source, 'gu');
  }

  /** Returns the index of the next of these characters, from `from` on; -1 if there are no more. */
  indexIn(text: string, from: number): number {
    this.#pattern.lastIndex = from;
    return this.#pattern.exec(text)?.index ?? -1;
  }
}

/** Returns null if a match may be empty, or begin with any character. */
export function firstCharacter(tree: Tree): FirstCharacter | null {
  const { sources, canBeEmpty } = beginning(tree);
  return canBeEmpty ? null : new FirstCharacter(`(?:${[...new Set(sources)].join('|')})`);
}

interface Beginning {
  /** Sets of characters. */
  readonly sources: readonly string[];
  readonly canBeEmpty: boolean;
}

function beginning(tree: Tree): Beginning {
  switch (tree.kind) {
    case 'set':
      return { sources: [tree.source], canBeEmpty: false };
    case 'sequence':
      return sequenceBeginning(tree.items);
    case 'choice': {
      const options = tree.options.map(beginning);
      return {
        sources: options.flatMap(({ sources }) => sources),
        canBeEmpty: options.some(({ canBeEmpty }) => canBeEmpty),
      };
    }
    case 'repetition': {
      const { sources, canBeEmpty } = beginning(tree.body);
      return { sources, canBeEmpty: canBeEmpty || tree.min === 0 };
    }
    case 'group':
    case 'atomic':
      return beginning(tree.body);
    case 'reference':
      return { sources: [ANY], canBeEmpty: true };
    default:
      return { sources: [], canBeEmpty: true };
  }
}

function sequenceBeginning(items: readonly Tree[]): Beginning {
  const sources: string[] = [];
  for (const item of items) {
    const { sources: own, canBeEmpty } = beginning(item);
    sources.push(...own);
    if (!canBeEmpty) return { sources, canBeEmpty };
  }
  return { sources, canBeEmpty: true };
}
