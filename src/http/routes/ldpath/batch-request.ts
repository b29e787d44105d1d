import { failure, type Result } from '../../../errors.ts';
import type { StartList } from '../../../pool/batch/start-list.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import { JsonStarts } from '../../../services/ldpath/json-starts.ts';
import type { BatchInput } from '../../../services/ldpath/ldpath.ts';
import { TextStarts } from '../../../services/ldpath/text-starts.ts';
import { splitBatch } from './batch-json.ts';
import { parseJsonObject } from './json-body.ts';
import { namespacesMember } from './known-prefixes.ts';
import { type NamedPrograms, ownPrefixes, storedProgram } from './selection.ts';

/**
 * Parses the body of a batch (http-api 4.8), which is in UTF-8. Errors `parse-error`,
 * `bad-arguments`, `missing-parameter`, `bad-iri`, `too-large`, `program-not-found`.
 */
export function parseBatch(body: Uint8Array, maxStarts: number, programs: NamedPrograms): Result<BatchInput> {
  const split = splitBatch(body);
  if (split) return batchOf(split.members, split.starts, maxStarts, programs);
  const json = parseJsonObject(body);
  if (!json.ok) return json;
  const { uris, ...members } = json.value;
  return batchOf(members, isTexts(uris) ? new TextStarts(uris) : uris, maxStarts, programs);
}

/** `starts`: a value other than a list of start resources is reported as an error in its turn. */
function batchOf(
  members: Readonly<Record<string, unknown>>,
  starts: unknown,
  maxStarts: number,
  programs: NamedPrograms,
): Result<BatchInput> {
  const selection = selectionOf(members, programs);
  if (!selection.ok) return selection;
  const { ordered = false, missing = 'error' } = members;
  if (starts === undefined) return failure('missing-parameter', "The member 'uris' is missing.");
  if (!isStarts(starts) || starts.length === 0)
    return failure('bad-arguments', "'uris' must be a non-empty array of strings.");
  if (starts.length > maxStarts)
    return failure('too-large', `There must not be more than ${maxStarts} URIs.`);
  if (typeof ordered !== 'boolean') return failure('bad-arguments', "'ordered' must be true or false.");
  if (missing !== 'error' && missing !== 'empty') {
    return failure('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  return {
    ok: true,
    value: { selection: selection.value, starts, ordered, lenient: missing === 'empty' },
  };
}

function isStarts(starts: unknown): starts is StartList {
  return starts instanceof TextStarts || starts instanceof JsonStarts;
}

function selectionOf(
  { program, path, name, namespaces }: Readonly<Record<string, unknown>>,
  programs: NamedPrograms,
): Result<Selection> {
  const [source, ...others] = [program, path, name].filter((one) => one !== undefined);
  if (source === undefined) {
    return failure('missing-parameter', "The member 'program', 'path' or 'name' is missing.");
  }
  if (others.length > 0 || typeof source !== 'string') {
    return failure('bad-arguments', "Exactly one of 'program', 'path' and 'name' is required, as a string.");
  }
  const declared = namespacesMember(namespaces);
  if (!declared.ok) return declared;
  const hasPrefixes = Object.keys(declared.value).length > 0;
  const mode = program === undefined ? 'path' : 'program';
  if (name !== undefined) return hasPrefixes ? ownPrefixes : storedProgram(programs, source);
  return { ok: true, value: hasPrefixes ? { mode, source, namespaces: declared.value } : { mode, source } };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
