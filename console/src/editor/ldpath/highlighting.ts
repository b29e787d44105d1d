import { StreamLanguage, type StringStream } from '@codemirror/language';

/** What a token at this place may mean. */
interface LexerState {
  /** The end of the comment or string that goes on in the next line. */
  open: '*/' | "'''" | null;
  /** A type follows, since `::` or `^^` precedes. */
  beforeType: boolean;
  /** A language follows, since `@` precedes. */
  beforeLanguage: boolean;
  /** A statement begins here, so that a name before `=` is that of a field. */
  atStatement: boolean;
}

const NAME_START = /[\p{L}\p{N}_%\\]/u;
const NAME = /^[\p{L}\p{N}_%\\][\p{L}\p{M}\p{N}_%\\\-.'·‿⁀]*/u;
const NUMBER = /^[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\p{L}\p{N}_:])/u;

/** Highlighting of LDPath by the tokens of docs/ldpath.md, section 1.3. */
export const ldpathLanguage = StreamLanguage.define<LexerState>({
  name: 'ldpath',
  startState: () => ({ open: null, beforeType: false, beforeLanguage: false, atStatement: true }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.open !== null) return readOpen(stream, state, state.open);
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match('/*')) return readOpen(stream, state, '*/');
    const style = readToken(stream, state);
    return style;
  },
  languageData: {
    commentTokens: { line: '#', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
  },
});

function readOpen(stream: StringStream, state: LexerState, end: '*/' | "'''"): string {
  const style = end === '*/' ? 'comment' : 'string';
  while (!stream.eol()) {
    if (end === "'''" && stream.match(/^\\./)) continue;
    if (stream.match(end)) {
      state.open = null;
      return style;
    }
    stream.next();
  }
  state.open = end;
  return style;
}

function readToken(stream: StringStream, state: LexerState): string | null {
  const { beforeType, beforeLanguage, atStatement } = state;
  state.beforeType = false;
  state.beforeLanguage = false;
  state.atStatement = false;
  const directive = stream.match(/^@(?:prefix|graph|filter|boost)/);
  if (directive) return 'keyword';
  if (stream.match(/^<[^\s<>"{}|^`]*>?/)) return beforeType ? 'typeName' : 'url';
  if (stream.match("'''")) return readOpen(stream, state, "'''");
  if (stream.match(/^"[^"]*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match(/^(?:::|\^\^)/)) {
    state.beforeType = true;
    return 'operator';
  }
  const isName =
    NAME_START.test(stream.peek() ?? '') || (stream.peek() === ':' && /^:[^\s:]/.test(rest(stream)));
  if (isName) return readName(stream, { beforeType, beforeLanguage, atStatement });
  const character = stream.next();
  state.beforeLanguage = character === '@';
  state.atStatement = character === ';';
  return 'operator';
}

type Before = Omit<LexerState, 'open'>;

function readName(stream: StringStream, { beforeType, beforeLanguage, atStatement }: Before): string {
  if (stream.match(NUMBER)) return 'number';
  stream.match(NAME);
  const word = stream.current();
  if (beforeLanguage) return 'labelName';
  if (word === 'fn' && stream.match(/^:\s*/)) {
    stream.match(NAME);
    return 'variableName.function';
  }
  if (stream.match(/^:(?!:)/)) {
    stream.match(NAME);
    return beforeType ? 'typeName' : 'propertyName';
  }
  if (word === 'is' || word === 'is-a') return 'keyword';
  if (word === 'true' || word === 'false') return 'bool';
  return atStatement && /^\s*=/.test(rest(stream)) ? 'variableName.definition' : 'variableName';
}

function rest(stream: StringStream): string {
  return stream.string.slice(stream.pos);
}
