import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant, Selection } from './selection.ts';
import type { Outcome } from './trial.ts';

/** The outcomes of a seed, kept after each, so that a run that was stopped goes on where it was. */
export class Report {
  readonly #folder: string;
  readonly #seed: number;
  readonly #selection: Selection;
  readonly #outcomes: Map<string, Outcome>;

  constructor(folder: string, seed: number, selection: Selection) {
    this.#folder = folder;
    this.#seed = seed;
    this.#selection = selection;
    const selected = new Set(selection.mutants.map(name));
    mkdirSync(folder, { recursive: true });
    this.#outcomes = new Map(
      this.#earlier()
        .filter(({ mutant }) => selected.has(name(mutant)))
        .map((outcome) => [name(outcome.mutant), outcome]),
    );
  }

  /** Mutants without an outcome, with `survivors` also those that survived. */
  remaining(survivors: boolean): Mutant[] {
    return this.#selection.mutants.filter((mutant) => {
      const status = this.#outcomes.get(name(mutant))?.status;
      return !status || (survivors && status === 'survived');
    });
  }

  add(outcome: Outcome): void {
    this.#outcomes.set(name(outcome.mutant), outcome);
    writeFileSync(this.#file('json'), JSON.stringify([...this.#outcomes.values()], null, 1));
    writeFileSync(this.#file('md'), this.summary());
  }

  summary(): string {
    const all = [...this.#outcomes.values()];
    const survivors = all.filter(({ status }) => status === 'survived');
    const lines = [
      `Seed ${this.#seed}: ${all.length} of ${this.#selection.mutants.length} mutants tried that the compiler accepts ` +
        `(it refused ${this.#selection.refused} more).`,
      `${countOf(all, 'killed')} killed by a failing test, ${countOf(all, 'timed out')} by a time-out, ` +
        `${survivors.length} survived.`,
      '',
      ...survivors.map(survivorLine),
    ];
    return `${lines.join('\n')}\n`;
  }

  #earlier(): Outcome[] {
    try {
      return JSON.parse(readFileSync(this.#file('json'), 'utf8')) as Outcome[];
    } catch {
      return [];
    }
  }

  #file(ending: string): string {
    return join(this.#folder, `seed-${this.#seed}.${ending}`);
  }
}

/** `src/ldpath/compile/dates.ts:123 \`<\` → \`<=\`` */
export function name({ file, line, start, original, replacement }: Mutant): string {
  return `${file}:${line} (${start}) \`${oneLine(original)}\` → \`${oneLine(replacement)}\``;
}

function survivorLine({ mutant, ran, reaching }: Outcome): string {
  return `- ${name(mutant)}: ${ran} of ${reaching} tests ran`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 80);
}

function countOf(outcomes: readonly Outcome[], status: Outcome['status']): number {
  return outcomes.filter((outcome) => outcome.status === status).length;
}
