export interface ResultsOptions {
  readonly mediaType: string;
  readonly order: readonly string[] | undefined;
  readonly spell: (term: string) => string;
  readonly maxBytes: number;
}

export function writeResults(tsv: string, _options: ResultsOptions): Uint8Array {
  return Buffer.from(tsv);
}
