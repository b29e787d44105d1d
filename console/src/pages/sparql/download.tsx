import { useState } from 'preact/hooks';
import { saveFile } from '../../app/download.ts';
import { Problem } from '../../components/problem.tsx';
import { evaluate } from './execution.ts';

interface Format {
  readonly title: string;
  readonly type: string;
  readonly extension: string;
}

const tables: readonly Format[] = [
  { title: 'CSV', type: 'text/csv', extension: 'csv' },
  { title: 'TSV', type: 'text/tab-separated-values', extension: 'tsv' },
  { title: 'JSON', type: 'application/sparql-results+json', extension: 'srj' },
  { title: 'XML', type: 'application/sparql-results+xml', extension: 'srx' },
];

const graphs: readonly Format[] = [
  { title: 'Turtle', type: 'text/turtle', extension: 'ttl' },
  { title: 'N-Triples', type: 'application/n-triples', extension: 'nt' },
  { title: 'JSON-LD', type: 'application/ld+json', extension: 'jsonld' },
  { title: 'RDF/XML', type: 'application/rdf+xml', extension: 'rdf' },
];

interface DownloadProps {
  readonly query: string;
  readonly kind: 'table' | 'graph';
}

/** Saves a result as a file. The query is evaluated again, in the format of the file. */
export function Download({ query, kind }: DownloadProps) {
  const formats = kind === 'table' ? tables : graphs;
  const [chosen, setChosen] = useState(formats[0]!);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const response = await evaluate(query, chosen.type);
      saveFile(await response.blob(), `result.${chosen.extension}`);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <div class="download">
      <select
        aria-label="Format of the file"
        value={chosen.type}
        onChange={({ currentTarget: { value } }) =>
          setChosen(formats.find(({ type }) => type === value) ?? chosen)
        }
      >
        {formats.map(({ type, title }) => (
          <option key={type} value={type}>
            {title}
          </option>
        ))}
      </select>
      <button type="button" disabled={isBusy} onClick={() => void save()}>
        Download
      </button>
      {error !== undefined && <Problem error={error} />}
    </div>
  );
}
