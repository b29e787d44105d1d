import { createRequire } from 'node:module';
import type { Update } from '@traqula/rules-sparql-1-1';
import { AppError } from '../../../errors.ts';
import { withWholeLocalNames } from './local-names.ts';
import { syntaxError } from './syntax-error.ts';
import { correctPatterns } from './token-patterns.ts';

type ParserModule = typeof import('@traqula/parser-sparql-1-1');
type RuleModule = typeof import('@traqula/rules-sparql-1-1');
type Parser = InstanceType<ParserModule['Parser']>;

/** The members used of the parser's errors. */
interface RecognitionError {
  readonly message: string;
  readonly token: ErrorToken;
  readonly previousToken?: ErrorToken;
}

interface ErrorToken {
  readonly image: string;
  /** NaN at the end of the text. */
  readonly startOffset: number;
}

/** Characters of a message about alternatives; longer ones list half of the language. */
const SHOWN = 160;

const require = createRequire(import.meta.url);
let loaded: Parser | undefined;

/**
 * Parses an update without escapes such as `\u0041`; positions in the tree are offsets in the text.
 * The first call loads the parser, which takes a tenth of a second. Error `parse-error` with line
 * and column.
 */
export function parseUpdate(text: string): Update {
  const tree = parsed(load(), text);
  if (tree.type === 'update') return tree;
  throw syntaxError('Expected an update; queries have their own endpoint', text, 0);
}

function parsed(parser: Parser, text: string): ReturnType<Parser['parse']> {
  try {
    return parser.parse(text);
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error;
    if (error instanceof RangeError)
      throw new AppError('too-large', 'The update is nested too deeply, or is too long besides its data.');
    throw error instanceof GrammarError ? ofGrammar(error.recognition, text) : ofMessage(error.message, text);
  }
}

function load(): Parser {
  if (loaded) return loaded;
  const { sparql11ParserBuilder } = require('@traqula/parser-sparql-1-1') as ParserModule;
  const rules = require('@traqula/rules-sparql-1-1') as RuleModule;
  correctPatterns(rules.lex);
  sparql11ParserBuilder.patchRule(withWholeLocalNames(rules.gram.prefixedName));
  // Unlike the package's own parser, this one does not decode escapes such as \u0041.
  const grammar = sparql11ParserBuilder.build({
    tokenVocabulary: rules.lex.sparql11LexerBuilder.tokenVocabulary,
    lexerConfig: { positionTracking: 'full' },
    errorHandler: throwFirst,
  });
  loaded = new rules.MinimalSparqlParser(grammar, { astFactory: new rules.AstFactory() });
  return loaded;
}

function throwFirst([first]: readonly RecognitionError[]): never {
  throw new GrammarError(first!);
}

class GrammarError extends Error {
  readonly recognition: RecognitionError;

  constructor(recognition: RecognitionError) {
    super(recognition.message);
    this.recognition = recognition;
  }
}

function ofGrammar({ message, token }: RecognitionError, text: string): AppError {
  const atEnd = !(token.startOffset >= 0);
  const found = atEnd ? 'end of the text' : `'${token.image.slice(0, 40)}'`;
  const [, expected = ''] = /^Expecting (?:token of type )?--> (\S+) <--/.exec(message) ?? [];
  const hint = expected === '' ? '' : `, expected ${expected}`.slice(0, SHOWN);
  return syntaxError(`Unexpected ${found}${hint}`, text, atEnd ? text.length : token.startOffset);
}

/** Errors that are not about the grammar have no position. */
function ofMessage(message: string, text: string): AppError {
  const [, character, offset] = /^unexpected character: ->(.+?)<- at offset: (\d+)/s.exec(message) ?? [];
  if (offset !== undefined) return syntaxError(`Unexpected '${character}'`, text, Number(offset));
  const [, prefix] = /^Unknown prefix: (.*)$/s.exec(message) ?? [];
  const place = prefix === undefined ? -1 : placeOfPrefix(prefix, text);
  if (place >= 0) return syntaxError(`The prefix '${prefix}:' is not declared`, text, place);
  const [, name = ''] = /\((\?\S+|_:\S+)\)/.exec(message) ?? [];
  return syntaxError(message.slice(0, SHOWN), text, Math.max(0, name === '' ? 0 : text.lastIndexOf(name)));
}

function placeOfPrefix(prefix: string, text: string): number {
  const escaped = prefix.replaceAll('.', '\\.');
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_.:<-])${escaped}:`, 'u'));
}
