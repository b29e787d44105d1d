/**
 * Which constructs of a selector may be walked directly after which others, as for the positions of
 * a regular expression. So an edge that was read by the first step of `a/a` is no way to a result
 * that only the second one has found.
 */
import type * as ast from '../syntax/ast.ts';
import type { TracedPlace } from './traced-place.ts';

/** A step or a call. */
type Position = TracedPlace['construct'];

export interface WalkOrder {
  /** The constructs directly before each one that follows others. */
  readonly before: ReadonlyMap<Position, ReadonlySet<Position>>;
  /** The constructs that may be the last ones on a way to a result. */
  readonly last: ReadonlySet<Position>;
  /** Those that may be the last ones on a way to an argument of a function. */
  readonly lastOfArgument: ReadonlySet<Position>;
}

interface Fragment {
  readonly first: readonly Position[];
  readonly last: readonly Position[];
  /** Whether it can be passed without reading a triple. */
  readonly nullable: boolean;
}

/** The order takes memory that grows with the square of this number. */
const MAX_POSITIONS = 200;

const empty: Fragment = { first: [], last: [], nullable: true };

/** Returns undefined for a selector with so many steps that each order is assumed to occur. */
export function walkOrder(selector: ast.Selector): WalkOrder | undefined {
  const walk = new Walk();
  const { last } = walk.fragment(selector, false);
  if (walk.size > MAX_POSITIONS) return undefined;
  return { before: walk.before, last: new Set(last), lastOfArgument: walk.lastOfArgument };
}

class Walk {
  readonly before = new Map<Position, Set<Position>>();
  readonly lastOfArgument = new Set<Position>();
  size = 0;

  /** `inverted`: the selector is inside of `^( ... )`, where paths run backwards. */
  fragment(selector: ast.Selector, inverted: boolean): Fragment {
    if (this.size > MAX_POSITIONS) return empty;
    switch (selector.kind) {
      case 'self':
      case 'constant':
        return empty;
      case 'property':
      case 'wildcard':
      case 'sub-property':
        return this.#position(selector);
      case 'path':
        return this.#path(inverted ? selector.steps.toReversed() : selector.steps, inverted);
      case 'union':
      case 'intersection':
        return either(selector.operands.map((operand) => this.fragment(operand, inverted)));
      case 'group':
      case 'filtered':
        return this.fragment(selector.selector, inverted);
      case 'inverted':
        return this.fragment(selector.selector, !inverted);
      case 'closure':
        return this.#repeated(selector.selector, selector.reflexive, inverted);
      case 'bounded':
        return this.#repeated(selector.selector, selector.min === 0, inverted);
      case 'call':
        return this.#call(selector);
    }
  }

  #position(position: Position): Fragment {
    this.size++;
    return { first: [position], last: [position], nullable: false };
  }

  #path(steps: readonly ast.Selector[], inverted: boolean): Fragment {
    let whole = empty;
    for (const step of steps) {
      const next = this.fragment(step, inverted);
      this.#link(whole.last, next.first);
      whole = {
        first: whole.nullable ? [...whole.first, ...next.first] : whole.first,
        last: next.nullable ? [...whole.last, ...next.last] : next.last,
        nullable: whole.nullable && next.nullable,
      };
    }
    return whole;
  }

  #repeated(selector: ast.Selector, nullable: boolean, inverted: boolean): Fragment {
    const once = this.fragment(selector, inverted);
    this.#link(once.last, once.first);
    return { ...once, nullable: nullable || once.nullable };
  }

  /** What a call itself reads, such as the members of a list, begins where its arguments end. */
  #call(call: ast.Call): Fragment {
    const given = either(call.arguments.map((argument) => this.fragment(argument, false)));
    for (const position of given.last) this.lastOfArgument.add(position);
    const own = this.#position(call);
    this.#link([...given.last, call], own.first);
    return {
      first: [...given.first, call],
      last: [...given.last, call],
      nullable: given.nullable,
    };
  }

  #link(from: readonly Position[], to: readonly Position[]): void {
    if (this.size > MAX_POSITIONS) return;
    for (const position of to) {
      const before = this.before.get(position) ?? new Set();
      for (const each of from) before.add(each);
      this.before.set(position, before);
    }
  }
}

function either(fragments: readonly Fragment[]): Fragment {
  return {
    first: fragments.flatMap(({ first }) => first),
    last: fragments.flatMap(({ last }) => last),
    nullable: fragments.length === 0 || fragments.some(({ nullable }) => nullable),
  };
}
