import { useState } from 'preact/hooks';
import { fileNameFor, saveFile } from '../app/download.ts';
import { Problem } from '../components/problem.tsx';

interface Format {
  readonly type: string;
  readonly title: string;
  readonly extension: string;
}

/** Formats in which the server writes RDF. */
const formats: readonly Format[] = [
  { type: 'text/turtle', title: 'Turtle', extension: 'ttl' },
  { type: 'application/n-triples', title: 'N-Triples', extension: 'nt' },
  { type: 'application/ld+json', title: 'JSON-LD', extension: 'jsonld' },
  { type: 'application/rdf+xml', title: 'RDF/XML', extension: 'rdf' },
  { type: 'application/n-quads', title: 'N-Quads', extension: 'nq' },
  { type: 'application/trig', title: 'TriG', extension: 'trig' },
  { type: 'application/rdf+json', title: 'RDF/JSON', extension: 'rj' },
];

interface DownloadProps {
  /** What the file is named after. */
  readonly iri: string;
  /** Requests the RDF in a format. */
  readonly read: (type: string) => Promise<Response>;
}

/** Saves RDF as a file, in a format of the user's choice. */
export function RdfDownload({ iri, read }: DownloadProps) {
  const [format, setFormat] = useState(formats[0]!);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const response = await read(format.type);
      saveFile(await response.blob(), fileNameFor(iri, format.extension));
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <div class="rdf-download">
      <select
        aria-label="Format"
        value={format.type}
        onChange={({ currentTarget: { value } }) =>
          setFormat(formats.find(({ type }) => type === value) ?? formats[0]!)
        }
      >
        {formats.map(({ type, title }) => (
          <option key={type} value={type}>
            {title}
          </option>
        ))}
      </select>
      <button type="button" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? 'Downloading…' : 'Download'}
      </button>
      {error !== undefined && <Problem error={error} />}
    </div>
  );
}
