import { parts, type Tree } from './tree.ts';

type Groups = ReadonlySet<number>;

const none: Groups = new Set();

/**
 * Whether a reference may be read while its group has no text. In Java it then fails, but in
 * JavaScript it matches.
 */
export function refersToUnset(tree: Tree): boolean {
  const search = new Search();
  search.read(tree, none, false);
  return search.found;
}

class Search {
  found = false;

  /**
   * Returns the groups that certainly have a text after the tree, given those that have one before
   * it.
   */
  read(tree: Tree, before: Groups, backward: boolean): Groups {
    switch (tree.kind) {
      case 'reference':
        this.found ||= !before.has(tree.group);
        return before;
      case 'sequence':
        return (backward ? tree.items.toReversed() : tree.items).reduce<Groups>(
          (groups, item) => this.read(item, groups, backward),
          before,
        );
      case 'choice':
        return this.#common(tree.options.map((option) => this.read(option, before, backward)));
      case 'repetition': {
        // JavaScript clears the texts of the groups before each repetition.
        const inside = groupsIn(tree.body);
        const outside = new Set([...before].filter((group) => !inside.has(group)));
        const after = this.read(tree.body, outside, backward);
        return tree.min > 0 ? after : outside;
      }
      case 'group':
        return new Set([...this.read(tree.body, before, backward), tree.number]);
      case 'look': {
        const after = this.read(tree.body, before, !tree.ahead);
        return tree.negative ? before : after;
      }
      case 'atomic':
        return this.read(tree.body, before, backward);
      default:
        return before;
    }
  }

  #common([first = none, ...others]: readonly Groups[]): Groups {
    return new Set([...first].filter((group) => others.every((groups) => groups.has(group))));
  }
}

function groupsIn(tree: Tree): Groups {
  const found = new Set<number>();
  const search = (one: Tree): void => {
    if (one.kind === 'group') found.add(one.number);
    for (const part of parts(one)) search(part);
  };
  search(tree);
  return found;
}
