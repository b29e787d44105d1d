import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { requestServer } from '../../app/request.ts';
import { loadPrefixes, type Namespaces, serverNamespaces } from '../../resources/prefixes.ts';
import { functions, keywords } from './keywords.ts';
import { declarationOf, prologueOf, undeclaredPrefixes } from './prologue.ts';
import { tokensOf } from './tokens.ts';

/** How many names the server returns at most; with as many, there may be others. */
const MAX_NAMES = 20;

/** Completes variables, names of the data, prefixes and keywords. */
export async function completions(context: CompletionContext): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  if (isInText(text, context.pos)) return null;
  const variable = context.matchBefore(/[?$][\p{L}\p{N}_]*$/u);
  if (variable) return completeVariable(text, variable.from, context.pos);
  const iri = context.matchBefore(/<[^<>"{}|^`\\\s]*$/);
  if (iri && iri.text.length > 1) return completeIri(iri.text.slice(1), iri.from, context);
  const name = context.matchBefore(/[\p{L}\p{N}_.-]*:[\p{L}\p{N}_.-]*$/u);
  if (name) return completeName(text, name, context);
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_-]*$/u);
  return word || context.explicit ? completeWord(word?.from ?? context.pos) : null;
}

/** Whether a position is inside of a comment or a string. */
function isInText(text: string, position: number): boolean {
  return tokensOf(text.slice(0, position)).some(
    ({ kind, text: token, from }) =>
      (kind === 'comment' || (kind === 'string' && !/^(["']).*\1$/s.test(token))) &&
      from + token.length === position,
  );
}

function completeVariable(text: string, from: number, position: number): CompletionResult | null {
  const others = tokensOf(text).filter((token) => token.kind === 'variable' && token.from !== from);
  const sign = text.charAt(from);
  const names = new Set(others.map((token) => sign + token.text.slice(1)));
  if (names.size === 0 || position < from) return null;
  return {
    from,
    options: [...names].map((label) => ({ label, type: 'variable' })),
    validFor: /^[?$][\p{L}\p{N}_]*$/u,
  };
}

async function completeIri(
  begin: string,
  from: number,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const [iris, isComplete] = await irisThatBegin(begin, context);
  return {
    from,
    options: iris.map((iri) => ({ label: `<${iri}>`, type: 'constant' })),
    ...(isComplete && { validFor: /^<[^<>\s]*$/ }),
  };
}

async function completeName(
  text: string,
  { text: name, from }: { readonly text: string; readonly from: number },
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const prefix = name.slice(0, name.indexOf(':'));
  const known = await serverNamespaces();
  const namespace =
    prologueOf(text).namespaces.get(prefix) ?? (Object.hasOwn(known, prefix) ? known[prefix] : undefined);
  if (namespace === undefined) return null;
  const [iris, isComplete] = await irisThatBegin(namespace + name.slice(prefix.length + 1), context);
  const locals = iris.filter((iri) => iri !== namespace).map((iri) => iri.slice(namespace.length));
  return {
    from,
    options: locals
      .filter((local) => /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?$/u.test(local))
      .map((local) => ({ label: `${prefix}:${local}`, type: 'property', apply: withDeclaration(known) })),
    ...(isComplete && { validFor: /^[\p{L}\p{N}_.-]*:[\p{L}\p{N}_.-]*$/u }),
  };
}

/** Returns IRIs of the data, and whether these are all. */
async function irisThatBegin(begin: string, context: CompletionContext): Promise<[string[], boolean]> {
  const controller = new AbortController();
  context.addEventListener('abort', () => controller.abort());
  const prefixes = await loadPrefixes();
  try {
    const response = await requestServer(`ldpath/util/complete?uri=${encodeURIComponent(begin)}`, {
      signal: controller.signal,
    });
    const names = (await response.json()) as string[];
    // The server shortens names by its own prefixes.
    return [names.map((name) => prefixes.expand(name)), names.length < MAX_NAMES];
  } catch {
    // Without an answer there is nothing to offer; running the query tells what is wrong.
    return [[], false];
  }
}

async function completeWord(from: number): Promise<CompletionResult> {
  const known = await serverNamespaces();
  return {
    from,
    options: [
      ...keywords.map((label) => ({ label, type: 'keyword' })),
      ...functions.map((label) => ({ label, type: 'function', apply: `${label}(` })),
      ...Object.entries(known).map(([prefix, namespace]) => ({
        label: `${prefix}:`,
        type: 'namespace',
        detail: namespace,
      })),
    ],
    validFor: /^[\p{L}\p{N}_-]*$/u,
  };
}

/** Inserts a name, and the declaration of its prefix if that is missing. */
function withDeclaration(known: Namespaces) {
  return (view: EditorView, completion: Completion, from: number, to: number) => {
    const { label } = completion;
    const text = view.state.doc.toString();
    const prefix = label.slice(0, label.indexOf(':'));
    const missing = undeclaredPrefixes(`${text} ${label}`, known).filter(([name]) => name === prefix);
    const declaration = declarationOf(text, missing);
    const changes = [{ from, to, insert: label }, ...(missing.length > 0 ? [declaration] : [])];
    const added = missing.length > 0 ? declaration.insert.length : 0;
    view.dispatch({
      changes,
      selection: { anchor: from + added + label.length },
      annotations: pickedCompletion.of(completion),
    });
  };
}
