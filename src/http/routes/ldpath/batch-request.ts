import { failure, type Result } from '../../../errors.ts';
import type { StartList } from '../../../pool/batch/start-list.ts';
import type { Selection } from '../../../pool/evaluation-request.ts';
import { type StartSetJson, startSetJson } from '../../../rdf/model/resources/start-set.ts';
import { JsonStarts } from '../../../services/ldpath/json-starts.ts';
import type { BatchInput } from '../../../services/ldpath/ldpath.ts';
import type { StoredProgram } from '../../../services/ldpath/stored-programs.ts';
import { TextStarts } from '../../../services/ldpath/text-starts.ts';
import { splitBatch } from './batch-json.ts';
import { parseJsonObject } from './json-body.ts';
import { namespacesMember } from './known-prefixes.ts';
import { checkedSeparator } from './result-format.ts';
import { type NamedPrograms, ownPrefixes, storedProgram } from './selection.ts';
import { readSet } from './sets/batch-set.ts';
import type { SetCursors } from './sets/cursor.ts';

export interface BatchContext {
  readonly programs: NamedPrograms;
  /** Maximum number of start resources in a list. */
  readonly maxStarts: number;
  readonly cursors: Pick<SetCursors, 'read'>;
}

/** A batch, and the commit of its cursor if it has one. */
export interface BatchRequestBody extends BatchInput {
  readonly commit: string | undefined;
  /** The format that the request names, which is not checked. */
  readonly format: string | undefined;
  readonly separator: string | undefined;
}

/**
 * Parses the body of a batch (http-api 4.8), which is in UTF-8. Errors `parse-error`,
 * `bad-arguments`, `missing-parameter`, `bad-iri`, `too-large`, `program-not-found`,
 * `position-gone`.
 */
export function parseBatch(body: Uint8Array, context: BatchContext): Result<BatchRequestBody> {
  const split = splitBatch(body);
  if (split) return batchOf(split.members, split.starts, context);
  const json = parseJsonObject(body);
  if (!json.ok) return json;
  const { uris, ...members } = json.value;
  return batchOf(members, isTexts(uris) ? new TextStarts(uris) : uris, context);
}

/** `uris`: a value other than a list of start resources is reported as an error in its turn. */
function batchOf(
  members: Readonly<Record<string, unknown>>,
  uris: unknown,
  context: BatchContext,
): Result<BatchRequestBody> {
  const selection = selectionOf(members, context.programs);
  if (!selection.ok) return selection;
  const set = members['starts'] ?? declaredSet(selection.value, uris);
  const starts = set === undefined ? listOf(members, uris, context) : setOf(set, members, uris, context);
  if (!starts.ok) return starts;
  const { ordered = false, missing = 'error', format } = members;
  const separator = checkedSeparator(members['separator']);
  if (!separator.ok) return separator;
  if (typeof ordered !== 'boolean') return failure('bad-arguments', "'ordered' must be true or false.");
  if (missing !== 'error' && missing !== 'empty') {
    return failure('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  if (format !== undefined && typeof format !== 'string') {
    return failure('bad-arguments', "'format' must be a string.");
  }
  const named = { format, separator: separator.value };
  const lenient = missing === 'empty';
  return { ok: true, value: { selection: selection.value, ...starts.value, ordered, lenient, ...named } };
}

type Starts = Pick<BatchRequestBody, 'starts' | 'commit'>;

function setOf(
  set: unknown,
  members: Readonly<Record<string, unknown>>,
  uris: unknown,
  { cursors }: BatchContext,
): Result<Starts> {
  if (uris === undefined) return readSet(set, members, cursors);
  return failure('bad-arguments', "Exactly one of 'uris' and 'starts' is required.");
}

/** Returns the JSON of the set of a stored program if a request has no other start resources. */
function declaredSet(selection: Selection | StoredProgram, uris: unknown): StartSetJson | undefined {
  if (uris !== undefined || !('name' in selection)) return undefined;
  return startSetJson(selection.starts ?? { kind: 'subjects' });
}

function listOf(
  { limit, cursor }: Readonly<Record<string, unknown>>,
  uris: unknown,
  { maxStarts }: BatchContext,
): Result<Starts> {
  if (uris === undefined) return failure('missing-parameter', "The member 'uris' or 'starts' is missing.");
  if (limit !== undefined || cursor !== undefined)
    return failure('bad-arguments', "'limit' and 'cursor' are for sets.");
  if (!isStarts(uris) || uris.length === 0)
    return failure('bad-arguments', "'uris' must be a non-empty array of strings.");
  if (uris.length > maxStarts) return failure('too-large', `There must not be more than ${maxStarts} URIs.`);
  return { ok: true, value: { starts: uris, commit: undefined } };
}

function isStarts(starts: unknown): starts is StartList {
  return starts instanceof TextStarts || starts instanceof JsonStarts;
}

/** Reads the members that say what is evaluated, and with which prefixes. */
export function selectionOf(
  { program, path, name, namespaces }: Readonly<Record<string, unknown>>,
  programs: NamedPrograms,
): Result<Selection | StoredProgram> {
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
