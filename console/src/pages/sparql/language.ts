import { autocompletion } from '@codemirror/autocomplete';
import { StreamLanguage } from '@codemirror/language';
import { sparql } from '@codemirror/legacy-modes/mode/sparql';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { completions } from './completion.ts';
import { declarationOf, isUpdate, undeclaredPrefixes } from './prologue.ts';

/** SPARQL in an editor. `run` is called for Ctrl-Enter. */
export function sparqlSupport(run: () => void): readonly Extension[] {
  const runCommand = () => {
    run();
    return true;
  };
  return [
    StreamLanguage.define(sparql),
    autocompletion({ override: [completions], activateOnTyping: true }),
    keymap.of([
      { key: 'Ctrl-Enter', run: runCommand },
      { key: 'Mod-Enter', run: runCommand },
    ]),
  ];
}

/** Declares the known prefixes that the text uses without a declaration. */
export function fillInPrefixes(view: EditorView, known: Readonly<Record<string, string>>): void {
  const text = view.state.doc.toString();
  const missing = undeclaredPrefixes(text, known);
  if (missing.length > 0) view.dispatch({ changes: declarationOf(text, missing) });
}

/** Underlines the place of an error of the server; without a place, or an error, nothing. */
export function underline(view: EditorView, error: unknown): void {
  const diagnostic = error instanceof PathpoolError ? diagnosticOf(view, error) : undefined;
  view.dispatch(setDiagnostics(view.state, diagnostic ? [diagnostic] : []));
}

function diagnosticOf(view: EditorView, { message, problem }: PathpoolError): Diagnostic | undefined {
  const { doc } = view.state;
  const { line: lineNumber, column } = problem;
  if (lineNumber === undefined || column === undefined || lineNumber > doc.lines) return undefined;
  const line = doc.line(lineNumber);
  const isInUnits = isUpdate(doc.toString());
  const before = isInUnits ? column - 1 : unitsOf(line.text, column - 1);
  const position = Math.min(line.from + before, line.to);
  const { from, to } = wordAt(doc.toString(), position);
  return { from, to, severity: 'error', message };
}

/** Queries count code points, and updates UTF-16 code units, as the editor does. */
function unitsOf(text: string, codePoints: number): number {
  return [...text].slice(0, codePoints).join('').length;
}

/** The word at a position. In white space the error is what stands before it. */
function wordAt(text: string, position: number): { from: number; to: number } {
  const [after = ''] = /^[^\s]+/.exec(text.slice(position)) ?? [];
  if (after !== '') return { from: position, to: position + after.length };
  const [before = ''] = /\S+\s*$/.exec(text.slice(0, position)) ?? [];
  return { from: position - before.length, to: position - before.length + before.trimEnd().length };
}
