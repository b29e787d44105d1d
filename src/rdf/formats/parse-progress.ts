import { RdfError } from './errors.ts';

/** How a long parse reports its progress and is stopped. */
export interface ParseControl {
  /** Called regularly with the number of bytes of the body that are done. */
  readonly onProgress?: (bytesDone: number) => void;
  /** Called regularly; true ends the parse with the code `cancelled`. */
  readonly shouldStop?: () => boolean;
  /**
   * True if work that takes longer than a few milliseconds is abandoned with a
   * `LengthyDocumentError`.
   */
  readonly brief?: boolean;
}

/** Reports progress; throws if the parse should stop. */
export function checkpoint(control: ParseControl, bytesDone: number): void {
  control.onProgress?.(bytesDone);
  if (control.shouldStop?.() === true) throw new RdfError('cancelled', 'Parsing was cancelled');
}
