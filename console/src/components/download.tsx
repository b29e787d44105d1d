import { useState } from 'preact/hooks';
import { fileNameFor, saveFile } from '../app/download.ts';
import { type Format, FormatSelect } from './format-select.tsx';
import { Problem } from './problem.tsx';

export interface FileFormat extends Format {
  /** Of the name of a file. */
  readonly extension: string;
}

interface DownloadProps {
  /** At least one. */
  readonly formats: readonly FileFormat[];
  /** What the file is named after: an IRI, or a name. */
  readonly source: string;
  /** Requests the data in a format. */
  readonly read: (type: string) => Promise<Response>;
}

/** Saves data as a file, in a format of the user's choice. */
export function Download({ formats, source, read }: DownloadProps) {
  const [type, setType] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // The formats may be others than those from which the user chose.
  const chosen = formats.find((format) => format.type === type) ?? formats[0]!;
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const response = await read(chosen.type);
      saveFile(await response.blob(), fileNameFor(source, chosen.extension));
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <div class="download">
      <FormatSelect label="Format of the file" formats={formats} value={chosen.type} onChange={setType} />
      <button type="button" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? 'Downloading…' : 'Download'}
      </button>
      {error !== undefined && <Problem error={error} />}
    </div>
  );
}
