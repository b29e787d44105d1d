import { firstInvalidByte } from '../../../base/json/invalid-byte.ts';
import { failure, type Result } from '../../../errors.ts';
import type { StartList } from '../../../pool/batch/start-list.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import { JsonStarts } from '../../../services/ldpath/json-starts.ts';
import type { BatchInput } from '../../../services/ldpath/ldpath.ts';
import { TextStarts } from '../../../services/ldpath/text-starts.ts';
import { splitBatch } from './batch-json.ts';
import { readSet } from './batch-set.ts';
import { decodeText } from './body-text.ts';
import { checkedNamespaces } from './known-prefixes.ts';

export interface BatchLimits {
  /** Maximum number of start resources in a list. */
  readonly maxStarts: number;
  /** See `readCursor`. */
  readonly run: string;
}

/** A batch, and the commit of its cursor if it has one. */
export interface BatchRequestBody extends BatchInput {
  readonly commit: string | undefined;
}

/**
 * Parses the body of a batch (http-api 4.8), which is in UTF-8. Errors `parse-error`,
 * `bad-arguments`, `missing-parameter`, `bad-iri`, `too-large`, `position-gone`.
 */
export function parseBatch(body: Uint8Array, limits: BatchLimits): Result<BatchRequestBody> {
  const split = splitBatch(body);
  if (split) return batchOf(split.members, split.starts, limits);
  const json = parseJson(body);
  if (!json.ok) return json;
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value)) {
    return failure('bad-arguments', 'The body must be a JSON object.');
  }
  const { uris, ...members } = json.value as Record<string, unknown>;
  return batchOf(members, isTexts(uris) ? new TextStarts(uris) : uris, limits);
}

/** `uris`: a value other than a list of start resources is reported as an error in its turn. */
function batchOf(
  members: Readonly<Record<string, unknown>>,
  uris: unknown,
  limits: BatchLimits,
): Result<BatchRequestBody> {
  const selection = selectionOf(members);
  if (!selection.ok) return selection;
  const starts = startsOf(members, uris, limits);
  if (!starts.ok) return starts;
  const { ordered = false, missing = 'error' } = members;
  if (typeof ordered !== 'boolean') return failure('bad-arguments', "'ordered' must be true or false.");
  if (missing !== 'error' && missing !== 'empty') {
    return failure('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  const lenient = missing === 'empty';
  return { ok: true, value: { selection: selection.value, ...starts.value, ordered, lenient } };
}

type Starts = Pick<BatchRequestBody, 'starts' | 'commit'>;

function startsOf(
  members: Readonly<Record<string, unknown>>,
  uris: unknown,
  { maxStarts, run }: BatchLimits,
): Result<Starts> {
  if (members['starts'] !== undefined) {
    if (uris === undefined) return readSet(members, run);
    return failure('bad-arguments', "Exactly one of 'uris' and 'starts' is required.");
  }
  if (uris === undefined) return failure('missing-parameter', "The member 'uris' or 'starts' is missing.");
  if (members['limit'] !== undefined || members['cursor'] !== undefined)
    return failure('bad-arguments', "'limit' and 'cursor' are for 'starts'.");
  if (!isStarts(uris) || uris.length === 0)
    return failure('bad-arguments', "'uris' must be a non-empty array of strings.");
  if (uris.length > maxStarts) return failure('too-large', `There must not be more than ${maxStarts} URIs.`);
  return { ok: true, value: { starts: uris, commit: undefined } };
}

function isStarts(starts: unknown): starts is StartList {
  return starts instanceof TextStarts || starts instanceof JsonStarts;
}

function selectionOf({
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

function parseJson(body: Uint8Array): Result<unknown> {
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
