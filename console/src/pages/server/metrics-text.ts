/** The text format of Prometheus, as `/metrics` sends it. */

export type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

const TYPE = /^# TYPE (\S+) /;
const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const everything = () => true;

/** What the metrics were at one time. Of those with labels, it gives the sum of some. */
export class Metrics {
  readonly #samples = new Map<string, Sample[]>();

  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, declared] = TYPE.exec(line) ?? [];
      // A counter with labels has no samples before it has counted anything.
      if (declared !== undefined) this.#samples.set(declared, []);
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (name === undefined) continue;
      const sample = { labels: labelsIn(labels), value: numberOf(value!) };
      const others = this.#samples.get(name);
      if (others) others.push(sample);
      else this.#samples.set(name, [sample]);
    }
  }

  /** Undefined if there is no such metric. */
  sum(name: string, fits: (labels: Labels) => boolean = everything): number | undefined {
    const samples = this.#samples.get(name);
    if (!samples) return undefined;
    return samples.reduce((sum, { labels, value }) => (fits(labels) ? sum + value : sum), 0);
  }

  /** Returns the values of a label for which the metric is not 0. */
  activeLabels(name: string, label: string): string[] {
    const samples = this.#samples.get(name) ?? [];
    return samples.filter(({ value }) => value !== 0).map(({ labels }) => labels[label] ?? '');
  }

  /** Returns how many observations of a histogram are at most as large as each limit. */
  buckets(name: string, fits: (labels: Labels) => boolean = everything): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { labels, value } of this.#samples.get(`${name}_bucket`) ?? []) {
      if (!fits(labels)) continue;
      const limit = numberOf(labels['le'] ?? '');
      counts.set(limit, (counts.get(limit) ?? 0) + value);
    }
    return counts;
  }
}

function labelsIn(text: string): Labels {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, name, value]) => [name!, unescaped(value!)]));
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
