import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { replaceAddress, usePlace } from '../../app/location.ts';
import { declaredNamespaces } from '../../editor/ldpath/known-names.ts';
import { type Namespaces, serverNamespaces } from '../../resources/prefixes.ts';
import { fragmentOf, type PlaygroundState, stateIn } from './address-state.ts';
import { useEvaluator } from './evaluation.ts';
import { EXAMPLE_PROGRAM, exampleStart } from './example.ts';
import { ProgramEditor } from './program-editor.tsx';
import { Results } from './results/view.tsx';
import { ShareDialog } from './share/dialog.tsx';
import { type OpenedProgram, SaveDialog } from './share/save-dialog.tsx';
import { OpenDialog, textOf } from './share/stored-programs.tsx';
import { StartList } from './starts/list.tsx';

type ShownDialog = 'open' | 'save' | 'share';

/** LDPath programs, tried on the data of the server. */
export function PlaygroundPage() {
  const { evaluation, isRunning, run, cancel } = useEvaluator();
  const [state, setState] = usePlaygroundState(run);
  const known = useNamespaces(state.program);
  const [dialog, setDialog] = useState<ShownDialog>();
  const [opened, setOpened] = useState<OpenedProgram>();
  const [notice, setNotice] = useState('');
  const runState = (wanted: PlaygroundState) => {
    if (wanted.starts.length > 0) run(wanted);
    setNotice(wanted.starts.length > 0 ? '' : 'Add a start resource first.');
  };
  useFirstRun(state, setState, run);
  const close = () => setDialog(undefined);
  return (
    <>
      <h1>Playground</h1>
      <div class="playground">
        <div class="playground-input">
          <StartList
            starts={state.starts}
            known={known}
            onChange={(starts) => {
              const next = { ...state, starts };
              setState(next);
              if (starts.length > state.starts.length) runState(next);
            }}
          />
          <h2>Program {opened && <span class="hint">{opened.name}</span>}</h2>
          <ProgramEditor
            program={state.program}
            starts={state.starts}
            onChange={(program) => setState({ ...state, program })}
            onRun={() => runState(state)}
          />
          <div class="buttons">
            <button type="button" class="primary" title="Ctrl-Enter" onClick={() => runState(state)}>
              Run
            </button>
            {isRunning && (
              <button type="button" onClick={cancel}>
                Cancel
              </button>
            )}
            <button type="button" onClick={() => setDialog('open')}>
              Open…
            </button>
            <button type="button" onClick={() => setDialog('save')}>
              Save…
            </button>
            <button type="button" onClick={() => setDialog('share')}>
              Share…
            </button>
          </div>
          <p role="status">{notice}</p>
        </div>
        <Results evaluation={evaluation} isRunning={isRunning} known={known} />
      </div>
      {dialog === 'share' && <ShareDialog state={state} onClose={close} />}
      {dialog === 'open' && (
        <OpenDialog
          onOpen={(stored) => {
            setState({ ...state, program: textOf(stored) });
            setOpened(stored);
            close();
          }}
          onClose={close}
        />
      )}
      {dialog === 'save' && (
        <SaveDialog
          program={state.program}
          opened={opened}
          onSaved={(saved) => {
            setOpened(saved);
            setNotice(`Saved as ${saved.name}.`);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Milliseconds without changes before the address follows: browsers limit how often it may. */
const ADDRESS_DELAY = 300;

/**
 * The state, which the fragment of the address keeps. What another address says is run at once, as
 * it is when the page is opened.
 */
function usePlaygroundState(
  run: (state: PlaygroundState) => void,
): [PlaygroundState, (state: PlaygroundState) => void] {
  const { state: fragment } = usePlace();
  const [state, setState] = useState<PlaygroundState>(() => ({
    program: EXAMPLE_PROGRAM,
    starts: [],
    ...stateIn(fragment),
  }));
  const isFirst = useRef(true);
  useEffect(() => {
    // The first address is that of the first state; later ones come from links and the history.
    const given = isFirst.current ? undefined : stateIn(fragment);
    isFirst.current = false;
    if (!given) return;
    const next = { ...state, ...given };
    setState(next);
    if (next.starts.length > 0) run(next);
  }, [fragment]);
  useEffect(() => {
    const timer = setTimeout(() => replaceAddress(fragmentOf(state)), ADDRESS_DELAY);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
}

/** Shows something at once: what the address says, or else an example of the data. */
function useFirstRun(
  state: PlaygroundState,
  setState: (state: PlaygroundState) => void,
  run: (state: PlaygroundState) => void,
): void {
  const current = useRef(state);
  current.current = state;
  useEffect(() => {
    if (state.starts.length > 0) {
      run(state);
      return;
    }
    if (state.program !== EXAMPLE_PROGRAM) return;
    const abort = new AbortController();
    // Without a readable example the playground begins empty.
    exampleStart(abort.signal).then(
      (start) => {
        if (start === undefined || abort.signal.aborted) return;
        // Meanwhile the user may have begun to work.
        if (current.current !== state) return;
        const example = { ...state, starts: [start] };
        setState(example);
        run(example);
      },
      () => {},
    );
    return () => abort.abort();
  }, []);
}

/** Prefixes by which the page abbreviates IRIs: those of the server and those of the program. */
function useNamespaces(program: string): Namespaces {
  const [known, setKnown] = useState<Namespaces>({});
  useEffect(() => {
    void serverNamespaces().then(setKnown);
  }, []);
  const declared = JSON.stringify(declaredNamespaces(program));
  return useMemo(() => ({ ...known, ...(JSON.parse(declared) as Namespaces) }), [known, declared]);
}
