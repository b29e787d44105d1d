import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection, Status } from '@nats-io/transport-node';

const PROBE_MS = 250;

interface AvailabilityParts {
  readonly connection: NatsConnection;
  /** Rejects while the log can't be used. */
  readonly probe: () => Promise<unknown>;
  readonly onChange: () => void;
  readonly onReconnect: () => void;
}

/** Whether a log can be reached, as far as is known. */
export class Availability {
  readonly #parts: AvailabilityParts;
  #isConnected = true;
  /** Whether a probe runs; the log counts as unavailable until one has succeeded. */
  #isProbing = false;
  /** When a probe succeeded last. */
  #probed = Number.NEGATIVE_INFINITY;
  #isInDoubt = false;
  #wasAvailable = true;
  #isClosed = false;

  constructor(parts: AvailabilityParts) {
    this.#parts = parts;
    this.#watch(parts.connection.status()).catch(() => {});
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get isAvailable(): boolean {
    return this.#isConnected && !this.#isProbing && !this.#isInDoubt;
  }

  /** Notes whether there is an append whose outcome is not known. */
  setInDoubt(isInDoubt: boolean): void {
    this.#isInDoubt = isInDoubt;
    this.#tell();
  }

  /** Notes that a request has failed: the log is unavailable until a probe succeeds. */
  noteFailure(): void {
    if (this.#isProbing) return;
    this.#isProbing = true;
    this.#tell();
    this.#probe().catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(events: AsyncIterable<Status>): Promise<void> {
    for await (const { type } of events) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type === 'reconnect') {
        this.#isConnected = true;
        this.#parts.onReconnect();
        this.noteFailure();
      }
      this.#tell();
    }
  }

  async #probe(): Promise<void> {
    // Requests may fail again and again while probes succeed.
    const rest = this.#probed + PROBE_MS - performance.now();
    if (rest > 0) await sleep(rest);
    while (!this.#isClosed) {
      try {
        await this.#parts.probe();
        break;
      } catch {
        await sleep(PROBE_MS);
      }
    }
    this.#probed = performance.now();
    this.#isProbing = false;
    this.#tell();
  }

  #tell(): void {
    if (this.isAvailable === this.#wasAvailable || this.#isClosed) return;
    this.#wasAvailable = this.isAvailable;
    this.#parts.onChange();
  }
}
