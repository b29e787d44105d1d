import type { Maintenance, MaintenanceOutcome } from './messages.ts';

/** Maintenance work of the store that begins or ends; for the log. */
export interface MaintenanceEvent {
  readonly work: 'checkpoint' | 'compact';
  readonly state: 'begun' | 'finished' | 'failed';
  /** Number of the newest commit that it includes. */
  readonly commit: number;
  readonly quads: number;
  /** Milliseconds since it began; absent from `begun`. */
  readonly duration?: number;
  /** Sizes of the files of a checkpoint, once they are written. */
  readonly quadsBytes?: number;
  readonly imageBytes?: number;
}

/**
 * Reports maintenance: the store asks for it, the pool does it, the store takes over the result.
 * There is one piece of work at a time.
 */
export class MaintenanceWatch {
  readonly #tell: (event: MaintenanceEvent) => void;
  #running: Omit<MaintenanceEvent, 'state' | 'duration'> | undefined;
  #begun = 0;

  constructor(tell: (event: MaintenanceEvent) => void) {
    this.#tell = tell;
  }

  begin({ kind, snapshot }: Maintenance): void {
    this.#running = { work: kind, commit: snapshot.sequence, quads: snapshot.quadCount };
    this.#begun = performance.now();
    this.#tell({ ...this.#running, state: 'begun' });
  }

  /** Notes what the pool has made of it. */
  note(outcome: MaintenanceOutcome): void {
    if (!this.#running || outcome.kind !== 'checkpoint' || !outcome.result.ok) return;
    const { quads, image } = outcome.result.value;
    this.#running = { ...this.#running, quadsBytes: quads.bytes, imageBytes: image.bytes };
  }

  end(succeeded: boolean): void {
    if (!this.#running) return;
    const duration = Math.round(performance.now() - this.#begun);
    this.#tell({ ...this.#running, state: succeeded ? 'finished' : 'failed', duration });
    this.#running = undefined;
  }
}
