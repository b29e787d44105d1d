import { autocompletion } from '@codemirror/autocomplete';
import { LanguageSupport } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { ldpathCompletion, type StartsOf } from './completion.ts';
import { ldpathLanguage } from './highlighting.ts';
import { ldpathHover } from './hover.ts';

const documentationTheme = EditorView.theme({
  '.cm-documentation': { maxWidth: '28rem', padding: '0.4rem 0.6rem', overflowWrap: 'anywhere' },
  '.cm-documentation code': { fontFamily: 'var(--mono)', fontSize: '0.8125rem', color: 'var(--code-type)' },
  '.cm-documentation p': { margin: '0.25rem 0 0', fontFamily: 'var(--sans)' },
});

/** The editor's help for LDPath. `startsOf`: from where paths are followed to complete them. */
export function ldpathSupport(startsOf: StartsOf): LanguageSupport {
  return new LanguageSupport(ldpathLanguage, [
    autocompletion({ override: [ldpathCompletion(startsOf)], activateOnTypingDelay: 120, icons: false }),
    ldpathHover,
    documentationTheme,
  ]);
}
