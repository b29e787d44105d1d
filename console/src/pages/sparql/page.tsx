import type { EditorView } from '@codemirror/view';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { addressOf, replaceAddress, usePlace } from '../../app/location.ts';
import { Problem } from '../../components/problem.tsx';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { serverNamespaces } from '../../resources/prefixes.ts';
import { HistoryDialog, ShareDialog, UpdateConfirmation } from './dialogs.tsx';
import { rememberRun } from './history.ts';
import { fillInPrefixes, sparqlSupport, underline } from './language.ts';
import { isUpdate } from './prologue.ts';
import { ResultView } from './result-view.tsx';
import { useExecution } from './use-execution.ts';

const EXAMPLE = `SELECT ?class (COUNT(?resource) AS ?resources) {
  ?resource a ?class
}
GROUP BY ?class
ORDER BY DESC(?resources)
LIMIT 20
`;

/** Milliseconds without typing before the address is changed. */
const ADDRESS_DELAY = 300;

type OpenDialog = 'history' | 'share' | 'update' | undefined;

export function SparqlPage() {
  const { state } = usePlace();
  const given = state.get('query');
  const [text, setText] = useState(given ?? EXAMPLE);
  const [dialog, setDialog] = useState<OpenDialog>();
  const view = useRef<EditorView>(null);
  const { execution, execute, cancel } = useExecution();
  useEffect(() => {
    if (given !== null) setText(given);
  }, [given]);
  useAddress(text);
  const start = useCallback(async () => {
    const current = view.current!.state.doc.toString();
    setDialog(undefined);
    rememberRun(current);
    underline(view.current!, undefined);
    underline(view.current!, await execute(current));
  }, [execute]);
  const run = useCallback(async () => {
    fillInPrefixes(view.current!, await serverNamespaces());
    if (isUpdate(view.current!.state.doc.toString())) setDialog('update');
    else await start();
  }, [start]);
  const extensions = useMemo(() => sparqlSupport(() => void run()), []);
  return (
    <div class="sparql-page">
      <h1>SPARQL</h1>
      <CodeEditor
        label="SPARQL query or update"
        value={text}
        onChange={setText}
        extensions={extensions}
        onReady={(editor) => {
          view.current = editor;
        }}
      />
      <div class="buttons">
        <button type="button" class="primary" title="Ctrl-Enter" onClick={() => void run()}>
          Run
        </button>
        {execution.state === 'running' && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
        <button type="button" onClick={() => setDialog('history')}>
          History
        </button>
        <button type="button" onClick={() => setDialog('share')}>
          Share
        </button>
      </div>
      <section aria-label="Result" aria-busy={execution.state === 'running'}>
        {execution.state === 'running' && <p class="loading">Evaluating…</p>}
        {execution.state === 'cancelled' && <p role="status">Cancelled.</p>}
        {execution.state === 'failed' && <Failure error={execution.error} />}
        {execution.state === 'done' && <ResultView key={execution.run} {...execution} />}
      </section>
      {dialog === 'history' && (
        <HistoryDialog
          onClose={() => setDialog(undefined)}
          onChoose={(chosen) => {
            setText(chosen);
            setDialog(undefined);
          }}
        />
      )}
      {dialog === 'share' && <ShareDialog text={text} onClose={() => setDialog(undefined)} />}
      {dialog === 'update' && (
        <UpdateConfirmation onConfirm={() => void start()} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

/** Keeps the text in the address, so that the address can be shared and reloaded. */
function useAddress(text: string): void {
  useEffect(() => {
    if (text === EXAMPLE) return undefined;
    const timer = setTimeout(() => replaceAddress(addressOf('sparql', {}, { query: text })), ADDRESS_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
}

/** What to do about errors that a user can avoid. */
const advice: Readonly<Record<string, string>> = {
  'time-limit': 'Ask for less: add LIMIT, or make patterns more specific.',
  'budget-exceeded': 'Ask for less: add LIMIT, or make patterns more specific.',
  'too-large': 'Ask for less: add LIMIT, or fewer variables.',
  forbidden: 'Updates need credentials with the role write.',
};

function Failure({ error }: { readonly error: unknown }) {
  const isOfServer = error instanceof PathpoolError;
  const { line, column } = isOfServer ? error.problem : {};
  const what = isOfServer ? advice[error.code] : undefined;
  return (
    <>
      <Problem error={error} />
      {line !== undefined && (
        <p>
          Line {line}, column {column}
        </p>
      )}
      {what && <p>{what}</p>}
    </>
  );
}
