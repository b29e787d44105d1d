import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { markProblem } from '../../editor/mark-problem.ts';
import { turtle } from '../../editor/turtle.ts';
import { draftOf, keepDraft } from './drafts.ts';
import { putTurtle, readHead, readSource, type Source } from './requests.ts';

interface TurtlePanelProps {
  readonly uri: string;
  readonly path: string;
}

/** Edits an RDF source, but for what the server manages. */
export function TurtlePanel({ uri, path }: TurtlePanelProps) {
  const { value, error } = useLoaded((signal) => readSource(uri, path, signal), [path]);
  return (
    <section aria-label="Triples">
      <h3>Triples</h3>
      {error !== undefined && <Problem error={error} />}
      {!value && error === undefined && <p class="loading">Loading…</p>}
      {value && <TurtleEditor uri={uri} path={path} first={value} />}
    </section>
  );
}

const extensions = [turtle];

interface TurtleEditorProps extends TurtlePanelProps {
  readonly first: Source;
}

function TurtleEditor({ uri, path, first }: TurtleEditorProps) {
  const draft = draftOf(path);
  const [stored, setStored] = useState(draft?.stored ?? first);
  const [text, setText] = useState(draft?.text ?? first.text);
  const [status, setStatus] = useState(draft ? 'These are your changes, which are not saved.' : '');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const editor = useRef<EditorView>(undefined);
  useEffect(() => keepDraft(path, { text, stored }), [text, stored]);
  const run = async (action: () => Promise<string>) => {
    setBusy(true);
    setError(undefined);
    setStatus('');
    try {
      setStatus(await action());
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  const save = async (tag: string) => {
    if (editor.current) markProblem(editor.current, undefined);
    try {
      await putTurtle(path, text, tag);
    } catch (reason) {
      if (editor.current && reason instanceof PathpoolError) markProblem(editor.current, reason.problem);
      throw reason;
    }
    setStored({ text, tag: (await readHead(path)).tag });
    return 'Saved.';
  };
  const takeTheirs = async () => {
    const source = await readSource(uri, path);
    setStored(source);
    setText(source.text);
    return 'The editor has the version of the server.';
  };
  const overwrite = async () => save((await readHead(path)).tag);
  const isConflict = error instanceof PathpoolError && error.status === 412;
  return (
    <>
      <CodeEditor
        label={`Turtle of ${path}`}
        value={text}
        onChange={setText}
        extensions={extensions}
        onReady={(view) => {
          editor.current = view;
        }}
      />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isBusy || text === stored.text}
          onClick={() => void run(() => save(stored.tag))}
        >
          Save
        </button>
        <button type="button" disabled={isBusy || text === stored.text} onClick={() => setText(stored.text)}>
          Discard changes
        </button>
        <span role="status" class="hint">
          {status}
        </span>
      </div>
      {isConflict ? (
        <div class="problem" role="alert">
          <p>The resource was changed by another client since you opened it, so your text was not saved.</p>
          <div class="buttons">
            <button type="button" disabled={isBusy} onClick={() => void run(takeTheirs)}>
              Discard my text and load the other version
            </button>
            <button type="button" class="danger" disabled={isBusy} onClick={() => void run(overwrite)}>
              Replace the other version by my text
            </button>
          </div>
        </div>
      ) : (
        error !== undefined && <EditProblem error={error} />
      )}
      <p class="hint">
        Types, dates and members, which the server manages, are not part of this text. {'<>'} is the resource.
      </p>
    </>
  );
}

function EditProblem({ error }: { readonly error: unknown }) {
  const { line, column, properties } = error instanceof PathpoolError ? error.problem : {};
  return (
    <>
      <Problem error={error} />
      {line !== undefined && (
        <p>
          At line {line}, column {column ?? 1}.
        </p>
      )}
      {properties && <p class="iri">Properties: {properties.join(', ')}</p>}
    </>
  );
}
