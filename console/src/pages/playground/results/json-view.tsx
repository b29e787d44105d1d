import { json } from '@codemirror/legacy-modes/mode/javascript';
import { StreamLanguage } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { useMemo } from 'preact/hooks';
import { CopyButton } from '../../../components/copy-button.tsx';
import { CodeEditor } from '../../../editor/code-editor.tsx';
import type { Outcome } from '../evaluation.ts';

const language = StreamLanguage.define({ ...json, tokenTable: { property: tags.propertyName } });
const extensions = [language];

/** The results as `POST /ldpath/debug` returns them. */
export function ResultJson({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const text = useMemo(() => {
    const results = outcomes.flatMap(({ start, traced }) => (traced ? [[start, traced.result]] : []));
    return JSON.stringify(Object.fromEntries(results), null, 2);
  }, [outcomes]);
  return (
    <>
      <div class="buttons">
        <CopyButton text={text} what="the JSON" />
      </div>
      <CodeEditor label="Results as JSON" value={text} readOnly extensions={extensions} />
    </>
  );
}
