/** What became of a part of Marmotta's data. */
export type Outcome = 'imported' | 'present' | 'changed' | 'skipped';

interface Entry {
  readonly what: string;
  count: number;
  readonly examples: string[];
}

const EXAMPLES = 5;
const TITLES: Readonly<Record<Outcome, string>> = {
  imported: 'Imported',
  present: 'There already, and not sent again',
  changed: 'Changed',
  skipped: 'Skipped',
};

/** Counts what was imported, changed and skipped, with the first examples of each. */
export class Report {
  readonly #entries: Readonly<Record<Outcome, Map<string, Entry>>> = {
    imported: new Map(),
    present: new Map(),
    changed: new Map(),
    skipped: new Map(),
  };

  /** `what`: a kind of thing, in the plural, and for those that were changed or skipped, why. */
  add(outcome: Outcome, what: string, example?: string, count = 1): void {
    const entries = this.#entries[outcome];
    const entry = entries.get(what) ?? { what, count: 0, examples: [] };
    entries.set(what, entry);
    entry.count += count;
    if (example === undefined || entry.examples.includes(example)) return;
    if (entry.examples.length < EXAMPLES) entry.examples.push(example);
  }

  get hasLeft(): boolean {
    return this.#entries.skipped.size > 0;
  }

  text(): string {
    const sections = (Object.keys(TITLES) as Outcome[]).flatMap((outcome) => {
      const entries = [...this.#entries[outcome].values()];
      return entries.length === 0 ? [] : [`${TITLES[outcome]}:`, ...entries.flatMap(linesOf)];
    });
    return `${sections.length === 0 ? 'There was nothing to import.' : sections.join('\n')}\n`;
  }

  json(): string {
    const lists = Object.entries(this.#entries).map(([outcome, entries]) => [outcome, [...entries.values()]]);
    return `${JSON.stringify(Object.fromEntries(lists), null, 2)}\n`;
  }
}

function linesOf({ what, count, examples }: Entry): string[] {
  const more = examples.length === EXAMPLES && count > EXAMPLES ? ['    …'] : [];
  return [`  ${count.toLocaleString('en')} ${what}`, ...examples.map((each) => `    ${each}`), ...more];
}
