/**
 * Finds a pattern in a text. It tries choices in the order of a backtracking matcher, so it finds
 * the same matches. But a choice that has failed at a position of the text is not tried there
 * again, since it would fail again. So the time is at most proportional to the length of the text
 * times the length of the pattern.
 *
 * There are exceptions. With references to groups (`\1`) the outcome of a choice depends on the
 * texts of the groups, so failures are not recorded. Look-arounds and atomic groups may repeat
 * their own work. All work is charged, so the budget of the evaluation ends searches that take too
 * long.
 */

import { BoundedReads } from './bounded-reads.ts';
import type { CharacterTest } from './character-test.ts';
import type { Match, SearchMeter } from './engine.ts';
import { FailedChoices } from './failed-choices.ts';
import { Operation, type Program } from './program.ts';

/** The number of instructions between two charges. */
const INSTRUCTIONS_A_CHARGE = 4096;
/** The number of instructions that take about as long as a step. */
const INSTRUCTIONS_A_STEP = 16;
const MAX_STACK = 3 * 2 ** 22;
/** Used in place of a position in the text. */
const FAILED = -1;
const UNSET = -1;
const MAX_LINE_END = 2;

/** Matches one text. */
export class Matcher {
  readonly #program: Program;
  readonly #text: string;
  readonly #meter: SearchMeter;
  /**
   * Start and end of the match and of each group; then the start of each group that has not ended
   * yet; then the start of each repetition.
   */
  readonly #registers: Int32Array;
  readonly #openRegisters: number;
  readonly #loopRegisters: number;
  readonly #failed: FailedChoices | null;
  /** The bounded repetitions, by the numbers of their bounds. */
  readonly #reads: (BoundedReads | undefined)[] = [];
  /**
   * The backtracking stack, in triples: an instruction, a position in the text, and the first
   * position of a range that ends with it, all of which are to be tried. Or a change to undo:
   * `~register`, its previous value, and 0.
   */
  #stack = new Int32Array(96);
  #top = 0;
  /** The position in the text for the instruction that `#back` returns. */
  #place = 0;
  #untilCharge = INSTRUCTIONS_A_CHARGE;

  constructor(program: Program, text: string, meter: SearchMeter) {
    this.#program = program;
    this.#text = text;
    this.#meter = meter;
    const groups = program.groupCount + 1;
    this.#openRegisters = 2 * groups;
    this.#loopRegisters = 3 * groups;
    this.#registers = new Int32Array(3 * groups + program.loopCount).fill(UNSET);
    this.#failed = program.hasReferences ? null : new FailedChoices(program.choiceCount);
  }

  /** Yields all matches from left to right. */
  *matches(): Generator<Match> {
    let from = 0;
    for (let start = this.#nextStart(from); start !== FAILED; start = this.#nextStart(from)) {
      // The search never returns to earlier positions.
      if (this.#program.isForward) this.#failed?.dropBefore(start);
      const end = this.#run(0, start);
      from = end === FAILED || end === start ? this.#after(start) : end;
      if (end === FAILED) continue;
      yield this.#match(start, end);
      this.#beginAfter(end);
    }
  }

  #match(start: number, end: number): Match {
    this.#untilCharge -= this.#registers.length;
    const groups: (string | undefined)[] = [this.#text.slice(start, end)];
    for (let group = 1; group <= this.#program.groupCount; group++) {
      const begin = this.#registers[2 * group]!;
      groups.push(begin === UNSET ? undefined : this.#text.slice(begin, this.#registers[2 * group + 1]));
    }
    return { index: start, groups };
  }

  #beginAfter(place: number): void {
    this.#top = 0;
    this.#registers.fill(UNSET);
    this.#failed?.beginAfter(place);
    this.#forgetReads();
  }

  /** Returns the next position where a match may begin. */
  #nextStart(from: number): number {
    const { isAnchored, begin } = this.#program;
    if (from > this.#text.length || (isAnchored && from > 0)) return FAILED;
    if (begin === null) return from;
    const code = this.#text.codePointAt(from);
    if (code === undefined) return FAILED;
    return begin.characters.has(code) ? from : begin.indexIn(this.#text, from);
  }

  #after(place: number): number {
    return place + (this.#text.codePointAt(place)! > 0xffff ? 2 : 1);
  }

  /**
   * Returns the end of the match that starts at `from`. If there is none, it leaves the registers
   * unchanged.
   */
  #run(start: number, from: number): number {
    const { operations, first, second } = this.#program;
    const base = this.#top;
    let next = start;
    let at = from;
    for (;;) {
      if (--this.#untilCharge <= 0) this.#charge();
      const instruction = next++;
      const operand = first[instruction]!;
      switch (operations[instruction]) {
        case Operation.accept:
          return at;
        case Operation.fail:
          at = FAILED;
          break;
        case Operation.read:
          at = this.#read(this.#program.sets[operand]!, at);
          break;
        case Operation.readBack:
          at = this.#readBack(this.#program.sets[operand]!, at);
          break;
        case Operation.assert:
          if (!this.#holds(operand, at)) at = FAILED;
          break;
        case Operation.split:
          if (this.#isNew(this.#choice(instruction, at), at)) this.#push(second[instruction]!, at, at);
          else at = FAILED;
          next = operand;
          break;
        case Operation.readAll:
          at = this.#readAll(instruction, at);
          break;
        case Operation.readSome:
          at = this.#readSome(instruction, at);
          break;
        case Operation.jump:
          next = operand;
          break;
        case Operation.open:
          this.#set(this.#openRegisters + operand, at);
          break;
        case Operation.close:
          this.#close(operand, this.#registers[this.#openRegisters + operand]!, at);
          break;
        case Operation.closeBack:
          this.#close(operand, at, this.#registers[this.#openRegisters + operand]!);
          break;
        case Operation.forget:
          for (let group = operand; group <= second[instruction]!; group++) this.#close(group, UNSET, UNSET);
          break;
        case Operation.enter:
          this.#set(this.#loopRegisters + operand, at);
          break;
        case Operation.leave:
          if (this.#registers[this.#loopRegisters + operand] === at) at = FAILED;
          break;
        case Operation.reference:
          at = this.#readAgain(operand, at);
          break;
        case Operation.referenceBack:
          at = this.#readAgainBack(operand, at);
          break;
        default:
          at = this.#apart(instruction, at);
          next = operand;
      }
      if (at !== FAILED) continue;
      next = this.#back(base);
      if (next === FAILED) return FAILED;
      at = this.#place;
    }
  }

  #charge(): void {
    const done = INSTRUCTIONS_A_CHARGE - this.#untilCharge;
    this.#untilCharge = INSTRUCTIONS_A_CHARGE;
    this.#meter.work(Math.floor(done / INSTRUCTIONS_A_STEP));
  }

  #read(characters: CharacterTest, at: number): number {
    const code = this.#text.codePointAt(at);
    if (code === undefined || !characters.has(code)) return FAILED;
    return at + (code > 0xffff ? 2 : 1);
  }

  /**
   * Stops at a position where the same choice was tried before, since the next part has failed
   * there.
   */
  #readAll(instruction: number, from: number): number {
    const characters = this.#program.sets[this.#program.first[instruction]!]!;
    const choice = this.#program.choices[instruction]!;
    if (!this.#isNew(this.#choice(instruction, from), from)) return FAILED;
    let last = from;
    for (let at = this.#read(characters, from); at !== FAILED && this.#isNew(choice, at); ) {
      last = at;
      at = this.#read(characters, at);
      if (--this.#untilCharge <= 0) this.#charge();
    }
    if (last > from) this.#push(instruction + 1, this.#placeBefore(last), from);
    return last;
  }

  /** Backtracks to fewer characters where the next part has not been tried yet. */
  #readSome(instruction: number, from: number): number {
    const reads = this.#readsOf(instruction);
    const isPossible = reads.read(from);
    this.#untilCharge -= reads.looked;
    if (!isPossible) return FAILED;
    // The outcome after zero characters depends on the repetitions around it, see `#choice`.
    const isApart =
      reads.least === from && this.#choice(instruction, from) !== this.#program.choices[instruction];
    const mayStay = isApart && this.#isNew(this.#choice(instruction, from), from);
    if (isApart) reads.least = from + 1;
    const { most } = reads;
    const first = this.#failed === null ? reads.least : reads.firstUntried();
    if (first > most) return mayStay ? from : FAILED;
    if (mayStay) this.#push(instruction + 1, from, from);
    if (most > first) this.#push(instruction + 1, this.#placeBefore(most), first);
    return most;
  }

  #readsOf(instruction: number): BoundedReads {
    const { first, second, sets, bounds } = this.#program;
    const number = second[instruction]!;
    this.#reads[number] ??= new BoundedReads(this.#text, sets[first[instruction]!]!, bounds[number]!);
    return this.#reads[number];
  }

  #forgetReads(): void {
    for (const reads of this.#reads) reads?.forget();
    this.#untilCharge -= this.#reads.length;
  }

  #readBack(characters: CharacterTest, at: number): number {
    if (at === 0) return FAILED;
    const start = this.#placeBefore(at);
    return characters.has(this.#text.codePointAt(start)!) ? start : FAILED;
  }

  #placeBefore(at: number): number {
    return at > 1 && this.#text.codePointAt(at - 2)! > 0xffff ? at - 2 : at - 1;
  }

  #holds(number: number, at: number): boolean {
    const { pattern, isNearEnd } = this.#program.assertions[number]!;
    if (isNearEnd && at < this.#text.length - MAX_LINE_END) return false;
    pattern.lastIndex = at;
    return pattern.test(this.#text);
  }

  /** Returns false if a choice is known to fail. */
  #isNew(choice: number, at: number): boolean {
    return this.#failed === null || this.#failed.add(choice, at);
  }

  /**
   * Returns the number of a choice. The outcome also depends on which of the repetitions around it
   * have not matched anything yet. If there are such repetitions, they are the innermost ones.
   */
  #choice(instruction: number, at: number): number {
    const { choices, loopsAround } = this.#program;
    const loops = loopsAround[instruction];
    let choice = choices[instruction]!;
    if (loops === undefined) return choice;
    for (const loop of loops) {
      if (this.#registers[this.#loopRegisters + loop] !== at) break;
      this.#untilCharge--;
      choice++;
    }
    return choice;
  }

  // --- groups ---

  /** Sets a register; the change is undone if a later part fails. */
  #set(register: number, value: number): void {
    if (this.#registers[register] === value) return;
    this.#push(~register, this.#registers[register]!, 0);
    this.#registers[register] = value;
  }

  #close(group: number, start: number, end: number): void {
    this.#set(2 * group, start);
    this.#set(2 * group + 1, end);
  }

  #readAgain(group: number, at: number): number {
    const length = this.#groupLength(group);
    if (this.#isUnset(group)) return FAILED;
    return this.#isGroup(group, at) ? at + length : FAILED;
  }

  #readAgainBack(group: number, at: number): number {
    const start = at - this.#groupLength(group);
    if (this.#isUnset(group)) return FAILED;
    return start >= 0 && this.#isGroup(group, start) ? start : FAILED;
  }

  #isUnset(group: number): boolean {
    return this.#registers[2 * group] === UNSET;
  }

  #groupLength(group: number): number {
    return this.#registers[2 * group + 1]! - this.#registers[2 * group]!;
  }

  /** Whether the text of a group occurs again at a position. */
  #isGroup(group: number, at: number): boolean {
    const start = this.#registers[2 * group]!;
    const length = this.#groupLength(group);
    if (at + length > this.#text.length) return false;
    for (let i = 0; i < length; i++) {
      if (--this.#untilCharge <= 0) this.#charge();
      if (!this.#program.sameUnit(this.#text.charCodeAt(start + i), this.#text.charCodeAt(at + i)))
        return false;
    }
    return true;
  }

  // --- look-arounds and atomic groups ---

  /** Runs the contents, and then drops the other ways in which they could match. */
  #apart(instruction: number, at: number): number {
    const operation = this.#program.operations[instruction];
    const base = this.#top;
    const trail = this.#failed?.beginTrail() ?? 0;
    const end = this.#run(instruction + 1, at);
    this.#untilCharge -= this.#failed?.endTrail(trail, end !== FAILED) ?? 0;
    if (end !== FAILED) this.#forgetReads();
    if (operation === Operation.lookNot) {
      while (this.#back(base) !== FAILED);
      return end === FAILED ? at : FAILED;
    }
    if (end === FAILED) return FAILED;
    this.#keepChanges(base);
    return operation === Operation.atomic ? end : at;
  }

  #keepChanges(base: number): void {
    const top = this.#top;
    this.#top = base;
    for (let i = base; i < top; i += 3) {
      if (this.#stack[i]! < 0) this.#push(this.#stack[i]!, this.#stack[i + 1]!, 0);
    }
  }

  // --- going back ---

  #push(instruction: number, value: number, lowest: number): void {
    if (this.#top === this.#stack.length) this.#grow();
    this.#stack[this.#top++] = instruction;
    this.#stack[this.#top++] = value;
    this.#stack[this.#top++] = lowest;
  }

  #grow(): void {
    const length = 2 * this.#stack.length;
    if (length > MAX_STACK)
      throw this.#meter.exceeded('A regular expression leaves too many choices open in a long text');
    const grown = new Int32Array(length);
    grown.set(this.#stack);
    this.#stack = grown;
  }

  /** Returns the instruction to backtrack to, and sets `#place`; undoes changes on the way. */
  #back(base: number): number {
    while (this.#top > base) {
      const top = this.#top - 3;
      const instruction = this.#stack[top]!;
      const value = this.#stack[top + 1]!;
      if (instruction < 0) this.#registers[~instruction] = value;
      else if (value > this.#stack[top + 2]!) {
        this.#place = value;
        this.#stack[top + 1] = this.#placeBefore(value);
        return instruction;
      }
      this.#top = top;
      this.#place = value;
      if (instruction >= 0) return instruction;
    }
    return FAILED;
  }
}
