import { useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { saveFile } from '../../app/download.ts';
import { FileButton } from '../../components/file-button.tsx';
import { Problem } from '../../components/problem.tsx';
import { ContentPreview, sizeText } from '../../resources/content-preview.tsx';
import { type Head, nameOf, readBytes } from './requests.ts';
import { sendFile } from './send-file.ts';

interface BinaryPanelProps {
  readonly path: string;
  readonly head: Head;
  readonly onReplaced: () => void;
}

/** Shows a binary, and replaces it. */
export function BinaryPanel({ path, head, onReplaced }: BinaryPanelProps) {
  const { type, size, tag } = head;
  const [error, setError] = useState<unknown>();
  const [progress, setProgress] = useState<number>();
  const run = async (action: () => Promise<void>) => {
    setError(undefined);
    try {
      await action();
    } catch (reason) {
      setError(explained(reason));
    }
    setProgress(undefined);
  };
  const save = async () => saveFile(await (await readBytes(path)).blob(), nameOf(path));
  const replace = async (file: File) => {
    const { signal } = new AbortController();
    await sendFile({
      method: 'PUT',
      path,
      headers: { 'If-Match': tag },
      file,
      onProgress: setProgress,
      signal,
    });
    onReplaced();
  };
  return (
    <section aria-label="Content">
      <p>
        <code>{type}</code>
        {size !== undefined && `, ${sizeText(size)}`}
      </p>
      <div class="buttons">
        <button type="button" onClick={() => void run(save)}>
          Download
        </button>
        <FileButton label="Replace by a file" onFiles={([file]) => file && void run(() => replace(file))} />
      </div>
      {progress !== undefined && <progress aria-label="Progress of the upload" value={progress} />}
      {error !== undefined && <Problem error={error} />}
      <ContentPreview
        name={path}
        type={type}
        size={size}
        read={(signal, init) => readBytes(path, { ...init, signal })}
      />
    </section>
  );
}

function explained(reason: unknown): unknown {
  if (!(reason instanceof PathpoolError) || reason.status !== 412) return reason;
  return new Error(
    'The binary was changed by another client, so it was not replaced. Open it again to see it.',
  );
}
