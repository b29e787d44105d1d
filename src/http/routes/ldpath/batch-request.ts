import { firstInvalidByte } from '../../../base/json/invalid-byte.ts';
import { failure, type Result } from '../../../errors.ts';
import type { StartList } from '../../../pool/batch/start-list.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import { JsonStarts } from '../../../services/ldpath/json-starts.ts';
import type { BatchInput } from '../../../services/ldpath/ldpath.ts';
import { TextStarts } from '../../../services/ldpath/text-starts.ts';
import { splitBatch } from './batch-json.ts';
import { decodeText } from './body-text.ts';
import { checkedNamespaces } from './known-prefixes.ts';
import { checkedSeparator } from './result-format.ts';

export interface ParsedBatch {
  readonly input: BatchInput;
  /** The format that the request names, which is not checked. */
  readonly format: string | undefined;
  readonly separator: string | undefined;
}

/**
 * Parses the body of a batch (http-api 4.8), which is in UTF-8. Errors `parse-error`,
 * `bad-arguments`, `missing-parameter`, `bad-iri`, `too-large`.
 */
export function parseBatch(body: Uint8Array, maxStarts: number): Result<ParsedBatch> {
  const split = splitBatch(body);
  if (split) return batchOf(split.members, split.starts, maxStarts);
  const json = parseJson(body);
  if (!json.ok) return json;
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return failure('bad-arguments', 'The body must be a JSON object.');
  }
  const { uris, ...members } = json.value as Record<string, unknown>;
  return batchOf(members, isTexts(uris) ? new TextStarts(uris) : uris, maxStarts);
}

/** `starts`: a value other than a list of start resources is reported as an error in its turn. */
function batchOf(
  members: Readonly<Record<string, unknown>>,
  starts: unknown,
  maxStarts: number,
): Result<ParsedBatch> {
  const selection = selectionOf(members);
  if (!selection.ok) return selection;
  const { ordered = false, missing = 'error', format } = members;
  const separator = checkedSeparator(members['separator']);
  if (!separator.ok) return separator;
  if (starts === undefined) return failure('missing-parameter', "The member 'uris' is missing.");
  if (!isStarts(starts) || starts.length === 0)
    return failure('bad-arguments', "'uris' must be a non-empty array of strings.");
  if (starts.length > maxStarts)
    return failure('too-large', `There must not be more than ${maxStarts} URIs.`);
  if (typeof ordered !== 'boolean') return failure('bad-arguments', "'ordered' must be true or false.");
  if (missing !== 'error' && missing !== 'empty') {
    return failure('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  if (format !== undefined && typeof format !== 'string') {
    return failure('bad-arguments', "'format' must be a string.");
  }
  const input = { selection: selection.value, starts, ordered, lenient: missing === 'empty' };
  return { ok: true, value: { input, format, separator: separator.value } };
}

function isStarts(starts: unknown): starts is StartList {
  return starts instanceof TextStarts || starts instanceof JsonStarts;
}

/** Reads the members that say what is evaluated, and with which prefixes. */
export function selectionOf({
  program,
  path,
  namespaces = {},
}: Readonly<Record<string, unknown>>): Result<Selection> {
  if (program === undefined && path === undefined) {
    return failure('missing-parameter', "The member 'program' or 'path' is missing.");
  }
  const source = program ?? path;
  if ((program !== undefined && path !== undefined) || typeof source !== 'string') {
    return failure('bad-arguments', "Exactly one of 'program' and 'path' is required, as a string.");
  }
  if (!isTextMap(namespaces)) return failure('bad-arguments', "'namespaces' must be an object of strings.");
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

/** Error `parse-error`, with the place. */
export function parseJson(body: Uint8Array): Result<unknown> {
  const text = decodeText(body);
  if (!text.ok) return text;
  try {
    return { ok: true, value: JSON.parse(text.value) };
  } catch {
    const bytes = Buffer.from(text.value);
    const before = bytes.toString('utf8', 0, firstInvalidByte(bytes)).split('\n');
    const place = { line: before.length, column: [...before.at(-1)!].length + 1 };
    return failure('parse-error', 'The body is not JSON.', { ...place, source: 'body' });
  }
}
