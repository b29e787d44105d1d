import type { Content, Parameter } from './described-operation.ts';
import { inQuery, text } from './shared-parameters.ts';

/** The formats of results besides nodes (http-api 4.11). */
export const otherFormats: Content = {
  'application/vnd.pathpool.values+json': { description: 'Plain values.' },
  'text/csv': text,
  'text/tab-separated-values': text,
  'application/vnd.pathpool.solr+json': { type: 'array', items: { type: 'object' } },
  'application/vnd.elasticsearch+x-ndjson': text,
  'application/ld+json': { type: 'object' },
};

export const formatParameters: readonly Parameter[] = [
  inQuery(
    'format',
    'The format of the result: `nodes`, `values`, `csv`, `tsv`, `solr`, `bulk` or `jsonld`, or a media type. It replaces `Accept`.',
  ),
  inQuery(
    'separator',
    'Between the values of a field in CSV and TSV: one ASCII character, not a letter. Default: `|`.',
  ),
];
