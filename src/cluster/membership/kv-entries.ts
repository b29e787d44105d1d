import type { KV, KvEntry } from '@nats-io/kv';
import { apiCode, isOvertaken } from '../nats/streams.ts';
import type { Entries, Entry } from './entries.ts';

/** The entries of a key-value bucket of NATS. */
export class KvEntries implements Entries {
  readonly #bucket: KV;

  constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  async get(key: string): Promise<Entry | undefined> {
    const found = await this.#bucket.get(key);
    return found && isPresent(found) ? { key, value: found.string(), revision: found.revision } : undefined;
  }

  create(key: string, value: string): Promise<number | undefined> {
    return unlessOvertaken(this.#bucket.create(key, value));
  }

  update({ key, value, revision }: Entry): Promise<number | undefined> {
    return unlessOvertaken(this.#bucket.update(key, value, revision));
  }

  async put(key: string, value: string): Promise<void> {
    await this.#bucket.put(key, value);
  }

  async remove(key: string, revision?: number): Promise<void> {
    const options = revision === undefined ? {} : { previousSeq: revision };
    await unlessOvertaken(this.#bucket.delete(key, options));
  }

  async watch(
    changed: (key: string, value: string | undefined) => void,
    ended: () => void,
  ): Promise<() => void> {
    const changes = await this.#bucket.watch();
    const follow = async () => {
      for await (const entry of changes) changed(entry.key, isPresent(entry) ? entry.string() : undefined);
    };
    void follow().then(ended, ended);
    return () => changes.stop();
  }
}

/** A removed entry leaves a mark. */
function isPresent({ operation }: Pick<KvEntry, 'operation'>): boolean {
  return operation === 'PUT';
}

async function unlessOvertaken<T>(change: Promise<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (isOvertaken(apiCode(error))) return undefined;
    throw error;
  }
}
