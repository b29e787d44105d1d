import { Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CheckReport } from '../../../../src/library/client/entry.ts';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { ldpathChecking } from '../../editor/ldpath/checking.ts';
import { ldpathSupport } from '../../editor/ldpath/help.ts';

interface ProgramEditorProps {
  readonly program: string;
  readonly starts: readonly string[];
  readonly onChange: (program: string) => void;
  readonly onRun: () => void;
}

/** The editor of the program, with what the server finds wrong with it. */
export function ProgramEditor({ program, starts, onChange, onRun }: ProgramEditorProps) {
  const [checked, setChecked] = useState<CheckReport>();
  const view = useRef<EditorView | undefined>(undefined);
  // The editor keeps its extensions, which call what the last rendering gave.
  const current = useRef({ starts, onRun });
  current.current = { starts, onRun };
  const extensions = useMemo(
    () => [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => runCurrent(current.current) }])),
      ldpathSupport(() => current.current.starts),
      ldpathChecking(setChecked),
    ],
    [],
  );
  const show = (offset: number) => {
    view.current?.dispatch({ selection: { anchor: offset }, scrollIntoView: true });
    view.current?.focus();
  };
  return (
    <>
      <CodeEditor
        label="LDPath program"
        value={program}
        onChange={onChange}
        extensions={extensions}
        onReady={(ready) => {
          view.current = ready;
        }}
      />
      <Findings checked={checked} onShow={show} />
    </>
  );
}

function runCurrent({ onRun }: { readonly onRun: () => void }): boolean {
  onRun();
  return true;
}

interface FindingsProps {
  readonly checked: CheckReport | undefined;
  readonly onShow: (offset: number) => void;
}

function Findings({ checked, onShow }: FindingsProps) {
  const findings = checked ? [...checked.errors, ...checked.warnings] : [];
  return (
    <div class="findings" role="status">
      {checked && findings.length === 0 && <span class="hint">No errors.</span>}
      <ul>
        {findings.map((finding, i) => (
          <li key={i} class={checked?.errors.includes(finding) ? 'error' : 'warning'}>
            <button type="button" class="link" onClick={() => onShow(finding.offset)}>
              {checked?.errors.includes(finding) ? 'Error' : 'Warning'} in line {finding.line}, column{' '}
              {finding.column}
            </button>
            : {finding.detail}
          </li>
        ))}
      </ul>
    </div>
  );
}
