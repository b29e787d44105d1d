import { StreamLanguage } from '@codemirror/language';
import { turtle as mode } from '@codemirror/legacy-modes/mode/turtle';

/** Highlighting of Turtle, and of formats that resemble it. */
export const turtle = StreamLanguage.define(mode);
