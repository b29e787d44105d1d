import { useEffect, useRef, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { problemText } from '../../components/problem.tsx';
import { upload } from './upload.ts';

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
  const [isOver, setOver] = useState(false);
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
      await upload({ method: 'POST', path, headers, file, onProgress, signal });
      change(id, { state: 'stored', share: 1 });
      onUploaded();
    } catch (error) {
      change(id, { state: 'failed', error });
    }
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = count.current++;
      setUploads((before) => [...before, { id, name: file.name, share: 0, state: 'waiting' }]);
      queue.current = queue.current.then(() => send(id, file));
    }
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for keys */}
      <div
        class={isOver ? 'drop-zone over' : 'drop-zone'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add(event.dataTransfer?.files ?? []);
        }}
      >
        <span>Drop files here, or</span>
        <label class="file-button">
          Choose files
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              add([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
        </label>
      </div>
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
