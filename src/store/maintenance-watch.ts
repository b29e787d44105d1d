import type { Maintenance, MaintenanceOutcome } from './messages.ts';

/** What the store does by itself, as it begins and ends; for the log. */
export interface MaintenanceEvent {
  readonly work: 'checkpoint' | 'compact';
  readonly state: 'begun' | 'finished' | 'failed';
  /** The commit whose state is written. */
  readonly commit: number;
  readonly quads: number;
  /** Milliseconds since it began; undefined when it begins. */
  readonly duration?: number;
  /** Bytes of the files of a checkpoint, when they are written. */
  readonly quadsBytes?: number;
  readonly imageBytes?: number;
}

/** Tells of maintenance as it goes through the threads: wanted, done in the pool, taken over by the store. One piece at a time. */
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

  /** The pool has done its part. */
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
