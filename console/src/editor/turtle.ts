import { StreamLanguage } from '@codemirror/language';
import { turtle as mode } from '@codemirror/legacy-modes/mode/turtle';

/** Highlighting of Turtle, and of formats that resemble it. */
export const turtle = StreamLanguage.define({
  ...mode,
  token(stream, state) {
    const style = mode.token(stream, state);
    const text = stream.current();
    // The mode takes names with a capital letter for comments, and all others for keywords.
    if (style === 'comment') return text.startsWith('#') ? style : 'propertyName';
    if (style === 'keyword') return /^(\d|true$|false$)/.test(text) ? 'number' : 'propertyName';
    return style;
  },
});
