import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { storeError } from './errors.ts';

/** The value of an entry, and the number that each change increases. */
export interface EntryState {
  readonly text: string;
  readonly revision: number;
}

/** An entry that the processes of a cluster share. Throws `unavailable`. */
export interface SharedEntry {
  /** Returns undefined before the first `write`. */
  read(): Promise<EntryState | undefined>;
  /**
   * Sets the entry if it is still as it was read; undefined: if there is still none. Returns false
   * if another process has changed it.
   */
  write(text: string, found: EntryState | undefined): Promise<boolean>;
}

/** An entry of a key-value bucket of NATS. */
export class NatsEntry implements SharedEntry {
  readonly #bucket: KV;
  readonly #key: string;

  constructor(bucket: KV, key: string) {
    this.#bucket = bucket;
    this.#key = key;
  }

  async read(): Promise<EntryState | undefined> {
    const entry = await storeError(() => this.#bucket.get(this.#key));
    return entry ? { text: entry.string(), revision: entry.revision } : undefined;
  }

  write(text: string, found: EntryState | undefined): Promise<boolean> {
    return storeError(async () => {
      try {
        await this.#bucket.update(this.#key, text, found?.revision ?? 0);
        return true;
      } catch (error) {
        const wasChanged =
          error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
        if (!wasChanged) throw error;
        return (await this.#bucket.get(this.#key))?.string() === text;
      }
    });
  }
}
