import { setDiagnostics } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import type { Problem } from '../../../src/library/client/entry.ts';

/** Underlines the place that an error names, and shows it; removes earlier marks in any case. */
export function markProblem(view: EditorView, problem: Problem | undefined): void {
  const { line, column = 1, detail = 'Error' } = problem ?? {};
  if (line === undefined) {
    view.dispatch(setDiagnostics(view.state, []));
    return;
  }
  const { doc } = view.state;
  const row = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(row.from + column - 1, row.to);
  const word = view.state.wordAt(from);
  const to = Math.max(word?.to ?? 0, Math.min(from + 1, row.to));
  view.dispatch(setDiagnostics(view.state, [{ from, to, severity: 'error', message: detail }]), {
    selection: { anchor: from },
    scrollIntoView: true,
  });
}
