import { RdfError } from './errors.ts';

/** How a long parse reports and is stopped. */
export interface ParseControl {
  /** Called now and then with the bytes of the body that are done. */
  readonly onProgress?: (bytesDone: number) => void;
  /** Asked now and then; true ends the parse with the code `cancelled`. */
  readonly shouldStop?: () => boolean;
  /** True: what takes longer than a few milliseconds is left, and `LengthyDocumentError` thrown. */
  readonly brief?: boolean;
}

/** Reports progress; throws when the parse is to stop. */
export function checkpoint(control: ParseControl, bytesDone: number): void {
  control.onProgress?.(bytesDone);
  if (control.shouldStop?.() === true) throw new RdfError('cancelled', 'Parsing was cancelled');
}
