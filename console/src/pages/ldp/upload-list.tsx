import { useEffect, useRef, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { DropZone } from '../../components/drop-zone.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { problemText } from '../../components/problem.tsx';
import { sendFile } from './send-file.ts';

interface UploadListProps {
  /** Of the container. */
  readonly path: string;
  readonly onUploaded: () => void;
}

interface Upload {
  readonly id: number;
  readonly name: string;
  readonly share: number;
  readonly state: 'waiting' | 'running' | 'stored' | 'failed';
  readonly error?: unknown;
}

/** Uploads files into a container, one after the other, by drag and drop or by a button. */
export function UploadList({ path, onUploaded }: UploadListProps) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const controller = useRef(new AbortController());
  const queue = useRef<Promise<void>>(Promise.resolve());
  const count = useRef(0);
  useEffect(() => () => controller.current.abort(), []);
  const change = (id: number, to: Partial<Upload>) =>
    setUploads((before) => before.map((each) => (each.id === id ? { ...each, ...to } : each)));
  const send = async (id: number, file: File) => {
    const { signal } = controller.current;
    if (signal.aborted) return;
    change(id, { state: 'running' });
    try {
      const headers = { Slug: encodeURIComponent(file.name) };
      const onProgress = (share: number) => change(id, { share });
      await sendFile({ method: 'POST', path, headers, file, onProgress, signal });
      change(id, { state: 'stored', share: 1 });
      onUploaded();
    } catch (error) {
      change(id, { state: 'failed', error });
    }
  };
  const add = (files: readonly File[]) => {
    for (const file of files) {
      const id = count.current++;
      setUploads((before) => [...before, { id, name: file.name, share: 0, state: 'waiting' }]);
      queue.current = queue.current.then(() => send(id, file));
    }
  };
  return (
    <>
      <DropZone onFiles={add}>
        <div class="buttons">
          <span>Drop files here, or</span>
          <FileButton label="Choose files" multiple onFiles={add} />
        </div>
      </DropZone>
      <ul class="uploads" aria-label="Uploads">
        {uploads.map((each) => (
          <li key={each.id}>
            <span class="iri">{each.name}</span>
            <progress aria-label={`Progress of ${each.name}`} value={each.share} />
            <span role="status">{textOf(each)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function textOf({ state, error }: Upload): string {
  if (state !== 'failed') return { waiting: 'waiting', running: 'uploading', stored: 'stored' }[state];
  const { line, column } = error instanceof PathpoolError ? error.problem : {};
  return `${problemText(error)}${line === undefined ? '' : ` At line ${line}, column ${column ?? 1}.`}`;
}
