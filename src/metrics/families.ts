import { Counter, Gauge, Histogram, type OpenMetricsContentType, type Registry } from 'prom-client';

/** A registry of either format. */
export type AnyRegistry = Registry | Registry<OpenMetricsContentType>;

export type Labels = Readonly<Record<string, string | number>>;

/** Times that were counted elsewhere. */
export interface Distribution {
  /** Upper bounds, in seconds. */
  readonly bounds: readonly number[];
  /** Times within each bound, and not within a smaller one; then those beyond all bounds. */
  readonly counts: ArrayLike<number>;
  /** In seconds. */
  readonly sum: number;
}

/** What a metric is called, and what it means. */
export interface Description {
  /** Without `pathpool_`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** Returns the present values. A metric without labels has one value, with no labels. */
type Read<T> = () => Iterable<readonly [labels: Labels, value: T]>;

/**
 * Defines the metrics of a registry. Their values are read from where they are counted when the
 * registry is asked for them, so counting costs no more than adding to a number.
 */
export class Families {
  readonly #registry: AnyRegistry;

  constructor(registry: AnyRegistry) {
    this.#registry = registry;
  }

  /** Defines a value that goes up and down. */
  gauge(description: Description, read: Read<number>): void {
    new Gauge({
      ...this.#configuration(description),
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }

  /** Defines a count since the start; its name ends in `_total`. */
  counter(description: Description, read: Read<number>): void {
    new Counter({
      ...this.#configuration(description),
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  }

  /** Defines a distribution of times. */
  histogram(description: Description, read: Read<Distribution>): void {
    const configuration = { ...this.#configuration(description), registers: [] };
    this.#registry.registerMetric(new CountedHistogram(configuration, read));
  }

  #configuration({ name, help, labels = [] }: Description) {
    return { name: `pathpool_${name}`, help, labelNames: [...labels], registers: [this.#registry] };
  }
}

/** A histogram whose observations were counted elsewhere. */
class CountedHistogram extends Histogram {
  readonly #description: Pick<Description, 'name' | 'help'>;
  readonly #read: Read<Distribution>;

  constructor(configuration: ConstructorParameters<typeof Histogram>[0], read: Read<Distribution>) {
    super(configuration);
    const { name, help } = configuration;
    this.#description = { name, help };
    this.#read = read;
  }

  /** prom-client derives the other forms of a histogram from this one. */
  getForPromString() {
    const { name } = this.#description;
    const values = Array.from(this.#read(), ([labels, times]) => samplesOf(name, labels, times)).flat();
    return Promise.resolve({ ...this.#description, type: 'histogram', aggregator: 'sum', values });
  }
}

function samplesOf(name: string, labels: Labels, { bounds, counts, sum }: Distribution) {
  let count = 0;
  const buckets = bounds.map((le, place) => {
    count += counts[place]!;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  count += counts[bounds.length] ?? 0;
  return [
    ...buckets,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
