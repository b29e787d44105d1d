import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { editorTheme, highlightStyle } from './colours.ts';

interface CodeEditorProps {
  /** What is edited, for screen readers. */
  readonly label: string;
  readonly value: string;
  readonly onChange?: (value: string) => void;
  /** The language, its completion and so on. They are those of the first rendering. */
  readonly extensions?: readonly Extension[];
  readonly readOnly?: boolean;
  /** Gives access to the editor, such as to select an error. */
  readonly onReady?: (view: EditorView) => void;
}

const common: readonly Extension[] = [
  lineNumbers(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
  editorTheme,
  syntaxHighlighting(highlightStyle),
];

const keys = keymap.of([
  ...closeBracketsKeymap,
  ...defaultKeymap,
  ...searchKeymap,
  ...historyKeymap,
  ...completionKeymap,
  ...lintKeymap,
  // Escape and then Tab leaves the editor.
  indentWithTab,
]);

/**
 * An editor for code. It is in a shadow root, where its styles are style sheets that scripts
 * construct: those in the document itself would need a policy that allows inline styles.
 */
export function CodeEditor({
  label,
  value,
  onChange,
  extensions = [],
  readOnly = false,
  onReady,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  // The editor is created once, and calls what the last rendering gave it.
  const changed = useRef(onChange);
  changed.current = onChange;
  // Texts that the owner has not given back yet. By the time it does, the user may have typed on.
  const typed = useRef<string[]>([]);
  const isGiven = useRef(false);
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          ...extensions,
          ...common,
          keys,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged || isGiven.current) return;
            const text = update.state.doc.toString();
            typed.current.push(text);
            changed.current?.(text);
          }),
        ],
      }),
    });
    editor.current = view;
    onReady?.(view);
    return () => view.destroy();
  }, []);
  useEffect(() => {
    const view = editor.current;
    const echo = typed.current.lastIndexOf(value);
    if (echo >= 0) typed.current.splice(0, echo + 1);
    if (!view || echo >= 0 || view.state.doc.toString() === value) return;
    isGiven.current = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
    isGiven.current = false;
    typed.current = [];
  }, [value]);
  return <div class="code-editor" ref={host} />;
}
