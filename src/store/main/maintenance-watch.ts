import { writeAmplification } from '../checkpoint/schedule.ts';
import type { Maintenance, MaintenanceOutcome } from '../messages.ts';

/** The start or end of the store's maintenance work; for the log. */
export interface MaintenanceEvent {
  readonly work: 'checkpoint' | 'compact';
  readonly state: 'begun' | 'finished' | 'failed';
  /** Number of the newest commit that the work includes. */
  readonly commit: number;
  readonly quads: number;
  /** Milliseconds since the start; absent from `begun`. */
  readonly duration?: number;
  /** Size on disk of the journal that a checkpoint replaces, including its patch files. */
  readonly journalBytes?: number;
  /** Size of a checkpoint's image, once it has been written. */
  readonly imageBytes?: number;
  /**
   * Bytes written to the journal, the patch files and the image for each byte of `journalBytes`.
   */
  readonly writeAmplification?: number;
}

/**
 * Reports maintenance: the store requests it, the pool does it, the store installs the result. Only
 * one piece of work runs at a time.
 */
export class MaintenanceWatch {
  readonly #tell: (event: MaintenanceEvent) => void;
  #running: Omit<MaintenanceEvent, 'state' | 'duration'> | undefined;
  #begun = 0;

  constructor(tell: (event: MaintenanceEvent) => void) {
    this.#tell = tell;
  }

  begin(maintenance: Maintenance): void {
    const { kind, snapshot } = maintenance;
    const journal = kind === 'checkpoint' && { journalBytes: maintenance.journalBytes };
    this.#running = { work: kind, commit: snapshot.sequence, quads: snapshot.quadCount, ...journal };
    this.#begun = performance.now();
    this.#tell({ ...this.#running, state: 'begun' });
  }

  /** Records the pool's result. */
  note(outcome: MaintenanceOutcome): void {
    if (!this.#running || outcome.kind !== 'checkpoint' || !outcome.result.ok) return;
    const { bytes } = outcome.result.value.image;
    const amplification = writeAmplification(this.#running.journalBytes ?? 0, bytes);
    this.#running = { ...this.#running, imageBytes: bytes, writeAmplification: amplification };
  }

  end(succeeded: boolean): void {
    if (!this.#running) return;
    const duration = Math.round(performance.now() - this.#begun);
    this.#tell({ ...this.#running, state: succeeded ? 'finished' : 'failed', duration });
    this.#running = undefined;
  }
}
