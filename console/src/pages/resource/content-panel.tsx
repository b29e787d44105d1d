import { useState } from 'preact/hooks';
import { fileNameFor, saveFile } from '../../app/download.ts';
import { requestServer } from '../../app/request.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';
import { ContentPreview, sizeText } from '../../resources/content-preview.tsx';

interface ContentPanelProps {
  readonly uri: string;
  /** Media type, without parameters. */
  readonly type: string;
}

/** The content of a resource. */
export function ContentPanel({ uri, type }: ContentPanelProps) {
  const path = `content/${type}?uri=${encodeURIComponent(uri)}`;
  const head = useLoaded((signal) => requestServer(path, { method: 'HEAD', signal }), [path]);
  const length = head.value?.headers.get('Content-Length');
  const size = length ? Number(length) : undefined;
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setError(undefined);
    try {
      saveFile(await (await requestServer(path)).blob(), fileNameFor(uri));
    } catch (reason) {
      setError(reason);
    }
  };
  const problem = error ?? head.error;
  return (
    <section aria-label="Content">
      <h2>Content</h2>
      <div class="buttons">
        <span>
          <code>{type}</code>
          {size !== undefined && `, ${sizeText(size)}`}
        </span>
        <button type="button" onClick={() => void save()}>
          Download the content
        </button>
      </div>
      {problem !== undefined && <Problem error={problem} />}
      {head.value && (
        <ContentPreview
          name={uri}
          type={type}
          size={size}
          read={(signal, init) => requestServer(path, { ...init, signal })}
        />
      )}
    </section>
  );
}
