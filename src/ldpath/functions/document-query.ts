/**
 * The common part of `fn:css`, `fn:jsonpath` and `fn:xpath`: each applies every expression to every
 * document (ldpath 5.5, 5.6, 5.9).
 */
import { LRUCache } from 'lru-cache';
import type { TermId } from '../../rdf/model/term-id.ts';
import { LdPathError } from '../errors.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { subjects } from './argument.ts';
import { MAX_DOCUMENT_CHARACTERS, meter } from './document-meter.ts';
import type { SelectorFunction } from './function.ts';

/** A call of such a function. */
export interface QueryCall {
  readonly context: EvaluationContext;
  /** The node at which the function is called. */
  readonly node: TermId;
  /** The results. */
  readonly into: TermId[];
}

/**
 * All three may throw arbitrary errors for malformed input, and must pass on errors of the meter.
 */
export interface QueryLanguage<Document, Query> {
  readonly compile: (expression: string) => Query;
  readonly parse: (text: string) => Document;
  /** Appends the results to those of the call. */
  readonly select: (call: QueryCall, query: Query, document: Document) => void;
}

const MAX_EXPRESSION_LENGTH = 4096;
const MAX_EXPRESSIONS_KEPT = 200;
const MAX_SHOWN = 100;

export function documentQuery<Document extends object, Query extends object>(
  described: Pick<SelectorFunction, 'name' | 'signature' | 'description'>,
  { compile, parse, select }: QueryLanguage<Document, Query>,
): SelectorFunction {
  const { name } = described;
  const queries = new LRUCache<string, Query>({ max: MAX_EXPRESSIONS_KEPT });
  const documents = new LRUCache<string, Document>({
    maxSize: MAX_DOCUMENT_CHARACTERS,
    sizeCalculation: (_document, text) => text.length + 1,
  });

  function compileCached(expression: string): Query {
    if (expression.length > MAX_EXPRESSION_LENGTH) throw new Error('It is too long');
    return cached(queries, expression, compile);
  }

  function parseMetered(text: string): Document {
    meter.beginDocument(text);
    return parse(text);
  }

  return {
    ...described,
    kind: 'selector',
    minArguments: 1,
    maxArguments: Number.POSITIVE_INFINITY,
    evaluate: (context, args, node, into) => {
      meter.begin(context);
      const call = { context, node, into };
      const expressions = args[0]!.map((id) => context.stringValue(id));
      const compiled = expressions.map((expression) =>
        unlessBad(context, `fn:${name} cannot use ${shown(expression)}`, () => compileCached(expression)),
      );
      for (const id of subjects(args, 1, node)) {
        const text = context.stringValue(id);
        const document = unlessBad(context, `fn:${name} cannot read ${shown(text)}`, () =>
          cached(documents, text, parseMetered),
        );
        if (document === null) continue;
        for (const [i, query] of compiled.entries()) {
          if (query === null) continue;
          unlessBad(context, `fn:${name} failed at ${shown(expressions[i]!)}`, () =>
            select(call, query, document),
          );
        }
      }
    },
  };
}

function cached<T extends object>(cache: LRUCache<string, T>, text: string, make: (text: string) => T): T {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const made = make(text);
  cache.set(text, made);
  return made;
}

/**
 * Returns the result; null, with a warning, if an expression or a document turns out to be
 * malformed.
 */
export function unlessBad<T>(context: EvaluationContext, message: string, attempt: () => T): T | null {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof LdPathError) throw error;
    context.warn(`${message}: ${firstLine(error)}`);
    return null;
  }
}

/** Returns the start of a text, for messages. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, MAX_SHOWN));
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.slice(0, MAX_SHOWN);
}
