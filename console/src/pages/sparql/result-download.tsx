import { Download, type FileFormat } from '../../components/download.tsx';
import { rdfFormats } from '../../resources/rdf-formats.ts';
import { evaluate } from './execution.ts';

const tables: readonly FileFormat[] = [
  { title: 'CSV', type: 'text/csv', extension: 'csv' },
  { title: 'TSV', type: 'text/tab-separated-values', extension: 'tsv' },
  { title: 'JSON', type: 'application/sparql-results+json', extension: 'srj' },
  { title: 'XML', type: 'application/sparql-results+xml', extension: 'srx' },
];

/** The result of CONSTRUCT has no graphs. */
const graphs = rdfFormats.filter(({ extension }) => ['ttl', 'nt', 'jsonld', 'rdf'].includes(extension));

interface ResultDownloadProps {
  readonly query: string;
  readonly kind: 'table' | 'graph';
}

/** Saves a result as a file. The query is evaluated again, in the format of the file. */
export function ResultDownload({ query, kind }: ResultDownloadProps) {
  return (
    <Download
      formats={kind === 'table' ? tables : graphs}
      source="result"
      read={(type) => evaluate(query, type)}
    />
  );
}
