import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
import type { Selection } from '../../pool/messages.ts';
import type { Batch } from '../../services/ldpath.ts';
import { jsonFault } from '../json-fault.ts';
import { checkedNamespaces } from './ldpath-namespaces.ts';

/** Reads the body of a batch (http-api 4.8). Errors `parse-error`, `bad-arguments`, `missing-parameter`, `bad-iri`, `too-large`. */
export function parseBatch(body: string, maxStarts: number): Result<Batch> {
  const json = parseJson(body);
  if (!json.ok) return json;
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return fail('bad-arguments', 'The body must be a JSON object.');
  }
  const members = json.value as Record<string, unknown>;
  const selection = selectionOf(members);
  if (!selection.ok) return selection;
  const { uris, ordered = false, missing = 'error' } = members;
  if (uris === undefined) return fail('missing-parameter', "The member 'uris' is missing.");
  if (!isTexts(uris) || uris.length === 0)
    return fail('bad-arguments', "'uris' must be an array of one text or more.");
  if (uris.length > maxStarts) return fail('too-large', `There may be ${maxStarts} URIs at most.`);
  if (typeof ordered !== 'boolean') return fail('bad-arguments', "'ordered' must be true or false.");
  if (missing !== 'error' && missing !== 'empty') {
    return fail('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  return {
    ok: true,
    value: { selection: selection.value, starts: uris, ordered, lenient: missing === 'empty' },
  };
}

function selectionOf({ program, path, namespaces = {} }: Record<string, unknown>): Result<Selection> {
  if (program === undefined && path === undefined) {
    return fail('missing-parameter', "The member 'program' or 'path' is missing.");
  }
  const source = program ?? path;
  if ((program !== undefined && path !== undefined) || typeof source !== 'string') {
    return fail('bad-arguments', "There must be one of 'program' and 'path', a text.");
  }
  if (!isTextMap(namespaces)) return fail('bad-arguments', "'namespaces' must be an object of texts.");
  const checked = checkedNamespaces(namespaces, (prefix) => `namespaces.${prefix}`);
  if (!checked.ok) return checked;
  const mode = program === undefined ? 'path' : 'program';
  const declared = Object.keys(namespaces).length > 0;
  return { ok: true, value: declared ? { mode, source, namespaces } : { mode, source } };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && isTexts(Object.values(value))
  );
}

function parseJson(text: string): Result<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const before = text.slice(0, jsonFault(text)).split('\n');
    const place = { line: before.length, column: [...before.at(-1)!].length + 1 };
    const problem = new AppError('parse-error', 'The body is not JSON.', { ...place, source: 'body' });
    return { ok: false, error: toErrorData(problem) };
  }
}

function fail(
  code: 'bad-arguments' | 'missing-parameter' | 'too-large',
  message: string,
): { ok: false; error: ErrorData } {
  return { ok: false, error: toErrorData(new AppError(code, message)) };
}
