import { AppError } from '../../errors.ts';
import type { EncodedChanges } from '../../pool/change-messages.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { PatchHeader } from '../patch/patch.ts';
import { Replay, type ReplayTarget } from '../recovery/replay.ts';
import type { StateDigest } from './state-digest.ts';

interface SharedTarget extends Omit<ReplayTarget, 'files'> {
  readonly digest: StateDigest;
}

/**
 * Applies the records of a shared log in order, and verifies that the data are those on which their
 * writer planned them. After a record that says so it drops unused terms: every process does that
 * at the same commit, so all have the same ids again.
 */
export class SharedReplay {
  readonly #replay: Replay;
  readonly #target: SharedTarget;
  #sequence: number;

  /** `sequence`: number of the newest commit in the data. */
  constructor(target: SharedTarget, sequence: number) {
    this.#target = target;
    this.#replay = new Replay(target);
    this.#sequence = sequence;
  }

  /** Number of the newest record that was applied. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Time of the newest record that was applied, in milliseconds since 1970; 0 before. */
  get time(): number {
    return this.#replay.time;
  }

  /** The digest of the data. */
  get state(): string {
    return this.#target.digest.text(this.#target.writer.dictionary.termCount);
  }

  /**
   * Applies a record; its rows may wait for `flush`. If they are many, the event loop goes on
   * meanwhile. Throws `data-damaged`.
   */
  take(sequence: number, payload: Uint8Array, state?: string): Promise<void> | void {
    this.#requireNext(sequence);
    if (state !== undefined && state !== this.state) {
      const digests = `${this.state} instead of ${state}`;
      throw damaged(`The data differ from those of the process that wrote commit ${sequence} (${digests})`);
    }
    const taken = this.#replay.take(sequence, payload);
    return taken instanceof Promise ? taken.then(() => this.#endRecord(sequence)) : this.#endRecord(sequence);
  }

  /** Applies a record that this process has encoded; returns its changes. Throws `data-damaged`. */
  async takeEncoded(sequence: number, header: PatchHeader, encoded: EncodedChanges): Promise<Changes> {
    this.#requireNext(sequence);
    const changes = await this.#replay.takeEncoded(sequence, header, encoded);
    this.#endRecord(sequence);
    return changes;
  }

  flush(): void {
    this.#replay.flush();
  }

  #endRecord(sequence: number): void {
    this.#sequence = sequence;
    if (this.#replay.renumbers) this.#renumber();
  }

  #requireNext(sequence: number): void {
    if (sequence === this.#sequence + 1) return;
    throw damaged(`Record ${this.#sequence + 1} of the shared log is missing: ${sequence} came instead`);
  }

  #renumber(): void {
    const { writer, digest } = this.#target;
    this.flush();
    const { generation } = writer.descriptor.dictionary;
    writer.dropDeadTerms(this.#sequence);
    const { descriptor } = writer;
    if (descriptor.dictionary.generation !== generation) digest.restart(descriptor);
  }
}

function damaged(message: string): AppError {
  return new AppError('data-damaged', message);
}
