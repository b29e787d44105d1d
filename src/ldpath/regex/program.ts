/**
 * Compiles regular expressions to instructions for `Matcher`. An instruction is an operation with
 * up to two operands. Every instruction except a jump is followed by the next one.
 */
import { type FirstCharacter, firstCharacter, isAnchored } from './beginning.ts';
import type { Bounds } from './bounded-reads.ts';
import { CharacterTest, sameInAnyCase } from './character-test.ts';
import { type Assertion, type CharacterSet, canBeEmpty, parts, type Repetition, type Tree } from './tree.ts';

export const Operation = {
  /** The end of the program, or of the contents of a look-around or an atomic group. */
  accept: 0,
  fail: 1,
  /** Reads a character of a set (`first`), forward or backward. */
  read: 2,
  readBack: 3,
  /** Requires that an assertion (`first`) holds at the current position. */
  assert: 4,
  /** Continues at `first`; if that fails, at `second`. */
  split: 5,
  jump: 6,
  /**
   * Reads as many characters of a set (`first`) as possible; each time the next part fails, one
   * less.
   */
  readAll: 18,
  /** The same within bounds (`second`). */
  readSome: 19,
  /**
   * The position where a group (`first`) begins, and where it ends; then the group has its text.
   */
  open: 7,
  close: 8,
  closeBack: 9,
  /** Clears the texts of the groups `first` to `second`. */
  forget: 10,
  /**
   * The start of a repetition that must match something, recorded in the register `first`; and its
   * end.
   */
  enter: 11,
  leave: 12,
  /** Reads the text of a group (`first`) again. */
  reference: 13,
  referenceBack: 14,
  /**
   * The part up to `accept` matches in one way or not at all; then execution continues at `first`.
   */
  atomic: 15,
  look: 16,
  lookNot: 17,
} as const;

export interface Program {
  readonly operations: Uint8Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /**
   * For `split`, `readAll` and `readSome`: the number of the choice if all repetitions around it
   * have matched something.
   */
  readonly choices: Int32Array;
  readonly choiceCount: number;
  /**
   * For the same instructions: the repetitions around them that must match something, the innermost
   * first.
   */
  readonly loopsAround: readonly (readonly number[] | undefined)[];
  readonly sets: readonly CharacterTest[];
  /** The bounds of `readSome`. */
  readonly bounds: readonly Bounds[];
  readonly assertions: readonly CompiledAssertion[];
  readonly groupCount: number;
  /** The number of registers in addition to those of groups (see `Matcher`). */
  readonly loopCount: number;
  readonly hasReferences: boolean;
  /** Whether no instruction reads backward. */
  readonly isForward: boolean;
  /** Whether all matches begin at the start of the text. */
  readonly isAnchored: boolean;
  /** The first character of all matches; null if it is unknown. */
  readonly begin: FirstCharacter | null;
  /** Compares UTF-16 units of a group's text and its repetition. */
  readonly sameUnit: (a: number, b: number) => boolean;
}

export interface CompiledAssertion {
  /** Has the sticky flag. */
  readonly pattern: RegExp;
  readonly isNearEnd: boolean;
}

/** The limit on instructions, which bounded repetitions of long parts would exceed. */
const MAX_INSTRUCTIONS = 20_000;

/** The options for compiling a tree. */
export interface ProgramOptions {
  readonly groupCount: number;
  readonly ignoresCase: boolean;
  /**
   * Whether groups keep their texts from one repetition to the next, as in Java. Otherwise they
   * lose them, as in JavaScript.
   */
  readonly keepsGroups: boolean;
}

/** Returns null if the program would be too long. */
export function compileProgram(tree: Tree, options: ProgramOptions): Program | null {
  try {
    return new Compiler(options).run(tree);
  } catch (error) {
    if (error instanceof TooLong) return null;
    throw error;
  }
}

class TooLong extends Error {}

class Compiler {
  readonly #flags: string;
  readonly #groupCount: number;
  readonly #keepsGroups: boolean;
  readonly #operations: number[] = [];
  readonly #first: number[] = [];
  readonly #second: number[] = [];
  readonly #sets: CharacterTest[] = [];
  readonly #bounds: Bounds[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #assertions: CompiledAssertion[] = [];
  readonly #assertionNumbers = new Map<string, number>();
  readonly #choices: number[] = [];
  readonly #loopsAround: (readonly number[] | undefined)[] = [];
  #choiceCount = 0;
  #loopCount = 0;
  /** The repetitions around the part that is being written. */
  #loops: readonly number[] = [];

  constructor({ groupCount, ignoresCase, keepsGroups }: ProgramOptions) {
    this.#flags = ignoresCase ? 'iu' : 'u';
    this.#groupCount = groupCount;
    this.#keepsGroups = keepsGroups;
  }

  run(tree: Tree): Program {
    this.#write(tree, false);
    this.#emit(Operation.accept);
    return {
      operations: Uint8Array.from(this.#operations),
      first: Int32Array.from(this.#first),
      second: Int32Array.from(this.#second),
      choices: Int32Array.from(this.#choices),
      choiceCount: this.#choiceCount,
      loopsAround: this.#loopsAround,
      sets: this.#sets,
      bounds: this.#bounds,
      assertions: this.#assertions,
      groupCount: this.#groupCount,
      loopCount: this.#loopCount,
      hasReferences: this.#has(Operation.reference, Operation.referenceBack),
      isForward: !this.#has(Operation.readBack, Operation.closeBack, Operation.referenceBack),
      isAnchored: isAnchored(tree),
      begin: this.#flags === 'u' ? firstCharacter(tree) : null,
      sameUnit: this.#flags === 'u' ? (a, b) => a === b : sameInAnyCase(),
    };
  }

  #has(...operations: readonly number[]): boolean {
    return this.#operations.some((one) => operations.includes(one));
  }

  get #next(): number {
    return this.#operations.length;
  }

  #emit(operation: number, first = 0, second = 0): number {
    if (this.#next === MAX_INSTRUCTIONS) throw new TooLong();
    this.#first.push(first);
    this.#second.push(second);
    this.#choices.push(this.#choiceCount);
    this.#loopsAround.push(this.#loops.length === 0 ? undefined : this.#loops);
    if (operation === Operation.split || operation === Operation.readAll || operation === Operation.readSome)
      this.#choiceCount += 1 + this.#loops.length;
    return this.#operations.push(operation) - 1;
  }

  /** `backward`: a look-behind is read from its end, as in V8. */
  #write(tree: Tree, backward: boolean): void {
    switch (tree.kind) {
      case 'set':
        this.#emit(backward ? Operation.readBack : Operation.read, this.#set(tree.source));
        break;
      case 'assertion':
        this.#emit(Operation.assert, this.#assertion(tree));
        break;
      case 'sequence':
        for (const item of backward ? tree.items.toReversed() : tree.items) this.#write(item, backward);
        break;
      case 'choice':
        this.#choice(tree.options, backward);
        break;
      case 'repetition':
        this.#repetition(tree, backward);
        break;
      case 'group':
        this.#emit(Operation.open, tree.number);
        this.#write(tree.body, backward);
        this.#emit(backward ? Operation.closeBack : Operation.close, tree.number);
        break;
      case 'reference':
        this.#emit(backward ? Operation.referenceBack : Operation.reference, tree.group);
        break;
      case 'atomic':
        this.#apart(Operation.atomic, tree.body, backward);
        break;
      case 'look':
        this.#apart(tree.negative ? Operation.lookNot : Operation.look, tree.body, !tree.ahead);
        break;
    }
  }

  #set(source: string): number {
    const known = this.#setNumbers.get(source);
    if (known !== undefined) return known;
    this.#setNumbers.set(source, this.#sets.length);
    return this.#sets.push(new CharacterTest(source, this.#flags)) - 1;
  }

  #assertion({ source, isNearEnd = false }: Assertion): number {
    const known = this.#assertionNumbers.get(source);
    if (known !== undefined) return known;
    this.#assertionNumbers.set(source, this.#assertions.length);
    const pattern = new RegExp(`(?:${source})`, `${this.#flags}y`);
    return this.#assertions.push({ pattern, isNearEnd }) - 1;
  }

  #choice(options: readonly Tree[], backward: boolean): void {
    if (options.length === 0) this.#emit(Operation.fail);
    const jumps: number[] = [];
    for (const [i, option] of options.entries()) {
      const split = i < options.length - 1 ? this.#emit(Operation.split, this.#next + 1) : null;
      this.#write(option, backward);
      if (split === null) continue;
      jumps.push(this.#emit(Operation.jump));
      this.#second[split] = this.#next;
    }
    for (const jump of jumps) this.#first[jump] = this.#next;
  }

  #repetition(tree: Repetition, backward: boolean): void {
    const { body, min, max, lazy } = tree;
    if (body.kind === 'set' && !lazy && !backward && max > 1 && max < Number.POSITIVE_INFINITY) {
      this.#readSome(body, min, max);
      return;
    }
    const groups = this.#keepsGroups ? [] : groupsIn(body);
    if (body.kind === 'set' && !backward && min > 1) this.#readSome(body, min, min);
    else this.#repeatedly(body, groups, min, backward);
    if (max === Number.POSITIVE_INFINITY && body.kind === 'set' && !lazy && !backward) {
      this.#emit(Operation.readAll, this.#set(body.source));
      return;
    }
    if (max === Number.POSITIVE_INFINITY) {
      const split = this.#emit(Operation.split);
      this.#something(body, groups, backward);
      this.#emit(Operation.jump, split);
      this.#branch(split, lazy);
      return;
    }
    const splits: number[] = [];
    for (let i = min; i < max; i++) {
      splits.push(this.#emit(Operation.split));
      this.#something(body, groups, backward);
    }
    for (const split of splits) this.#branch(split, lazy);
  }

  #readSome({ source }: CharacterSet, min: number, max: number): void {
    const bounds = this.#bounds.push({ min, max }) - 1;
    this.#emit(Operation.readSome, this.#set(source), bounds);
  }

  #repeatedly(body: Tree, groups: readonly number[], times: number, backward: boolean): void {
    for (let i = 0; i < times; i++) {
      const before = this.#next;
      this.#once(body, groups, backward);
      if (this.#next === before) break;
    }
  }

  /** Makes a split choose between the instruction after it and the next one to be written. */
  #branch(split: number, lazy: boolean): void {
    const [inside, outside] = [split + 1, this.#next];
    this.#first[split] = lazy ? outside : inside;
    this.#second[split] = lazy ? inside : outside;
  }

  #once(body: Tree, groups: readonly number[], backward: boolean): void {
    if (groups.length > 0) this.#emit(Operation.forget, groups[0], groups.at(-1));
    this.#write(body, backward);
  }

  /** Writes an optional repetition, which must not match the empty text. */
  #something(body: Tree, groups: readonly number[], backward: boolean): void {
    if (!canBeEmpty(body)) {
      this.#once(body, groups, backward);
      return;
    }
    const loop = this.#loopCount++;
    const around = this.#loops;
    this.#emit(Operation.enter, loop);
    this.#loops = [loop, ...around];
    this.#once(body, groups, backward);
    this.#loops = around;
    this.#emit(Operation.leave, loop);
  }

  #apart(operation: number, body: Tree, backward: boolean): void {
    const apart = this.#emit(operation);
    const around = this.#loops;
    this.#loops = [];
    this.#write(body, backward);
    this.#loops = around;
    this.#emit(Operation.accept);
    this.#first[apart] = this.#next;
  }
}

/** Returns the numbers of groups, in order. */
function groupsIn(tree: Tree): number[] {
  const below = parts(tree).flatMap(groupsIn);
  return tree.kind === 'group' ? [tree.number, ...below] : below;
}
