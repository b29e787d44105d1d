/** `fn:jsonpath`: RFC 9535, which does not have scripts (ldpath 5.6, Q-F10). */
import type { JSONPathEnvironment, JSONPathQuery } from 'json-p3';
import { documentQuery, type QueryCall } from '../document-query.ts';
import type { SelectorFunction } from '../function.ts';
import { lazyLibrary } from '../lazy-library.ts';
import { type JsonDocument, parseJson, textAt } from './document.ts';
import { regexFunction } from './path-regex.ts';

const jsonP3 = lazyLibrary<typeof import('json-p3')>('json-p3');

/** More than the maximum depth of a document, so that it is never the limit. */
const MAX_RECURSION = 1000;

let environment: JSONPathEnvironment | undefined;

function newEnvironment(): JSONPathEnvironment {
  const made = new (jsonP3().JSONPathEnvironment)({ maxRecursionDepth: MAX_RECURSION });
  const functions = made.functionRegister;
  functions.set('match', regexFunction(functions.get('match')!, true));
  functions.set('search', regexFunction(functions.get('search')!, false));
  return made;
}

function compileJsonPath(expression: string): JSONPathQuery {
  environment ??= newEnvironment();
  return environment.compile(rfcSyntax(expression));
}

/**
 * Accepts shorthand of programs for the reference: a leading `name` without `$.`, and
 * `[(@.length-1)]` for the last element.
 */
function rfcSyntax(expression: string): string {
  const absolute = /^[A-Za-z_]/.test(expression) ? `$.${expression}` : expression;
  return absolute.replace(/\[\(@\.length\s*-\s*(\d+)\)\]/g, '[-$1]');
}

function selectJson({ context, into }: QueryCall, query: JSONPathQuery, document: JsonDocument): void {
  const before = into.length;
  for (const { value, location } of query.lazyQuery(document.value)) {
    context.work(1);
    // Lone surrogates can be escaped in JSON, but not written in RDF.
    into.push(context.literal(textAt(document, location, value).toWellFormed()));
  }
  if (into.length === before) context.warn(`fn:jsonpath found nothing at ${query.toString()}`);
}

const jsonpath = documentQuery(
  {
    name: 'jsonpath',
    signature: 'fn:jsonpath(paths : StringList [, json : NodeList, ...]) : StringList',
    description:
      'Returns the values that the JSONPaths (RFC 9535) select from the JSON documents: scalars as text, objects and arrays as JSON.',
  },
  { compile: compileJsonPath, parse: parseJson, select: selectJson },
);

export const jsonFunctions: readonly SelectorFunction[] = [jsonpath];
