/** The formats of results besides nodes (http-api 4.11). */
export type ShapedFormat =
  | 'values'
  | 'csv'
  | 'tsv'
  | 'solr'
  | 'bulk'
  | 'jsonld'
  | 'solr-documents'
  | 'bulk-documents';

export interface ShapeOptions {
  readonly format: ShapedFormat;
  /**
   * Between the values of a field; CSV and TSV only. A printable ASCII character, but no quote and
   * no backslash.
   */
  readonly separator?: string;
}

export const DEFAULT_SEPARATOR = '|';
