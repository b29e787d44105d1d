import type { CallOptions, Conditions, Sender } from '../sender.ts';

/** Where a prefix comes from. A stored one takes precedence, then one of the settings. */
export type PrefixSource = 'stored' | 'settings' | 'built-in';

/** A prefix that the server knows. The last four members are those of a stored one. */
export interface KnownPrefix {
  readonly prefix: string;
  readonly namespace: string;
  readonly source: PrefixSource;
  /** Number of the commit that last changed it. */
  readonly commit?: number;
  /** The commit as `<identity>.<commit>`. */
  readonly position?: string;
  /** ISO 8601. */
  readonly modified?: string;
  /** The entity tag for `ifMatch` and `ifNoneMatch`. */
  readonly tag?: string;
}

export interface PrefixReceipt {
  readonly commit: number;
  readonly position: string;
  readonly tag: string;
}

export interface PrefixListOptions extends CallOptions {
  /** Only those that come from there. */
  readonly source?: PrefixSource;
}

/** The prefixes that need no declaration (http-api 4.15). */
export class PrefixCalls {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Returns namespaces by prefix. */
  list({ source, ...options }: PrefixListOptions = {}): Promise<Record<string, string>> {
    return this.#sender.json('/prefixes', { parameters: { source } }, options);
  }

  get(prefix: string, options?: CallOptions): Promise<KnownPrefix> {
    return this.#sender.json(pathOf(prefix), {}, options);
  }

  /** Stores a prefix; the same one again changes nothing. */
  put(prefix: string, namespace: string, options?: Conditions): Promise<PrefixReceipt> {
    const request = { method: 'PUT', type: 'application/json', body: JSON.stringify({ namespace }) };
    return this.#sender.json(pathOf(prefix), request, options);
  }

  /** Deletes a stored prefix. */
  async delete(prefix: string, options?: Conditions): Promise<void> {
    await this.#sender.status(pathOf(prefix), { method: 'DELETE' }, options);
  }
}

function pathOf(prefix: string): string {
  return `/prefixes/${encodeURIComponent(prefix)}`;
}
