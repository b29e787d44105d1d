/** An error of the snapshot; the codes are those of the catalogue in `errors.ts`. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: 'store-full' | 'data-damaged';

  constructor(code: 'store-full' | 'data-damaged', message: string) {
    super(message);
    this.code = code;
  }
}
