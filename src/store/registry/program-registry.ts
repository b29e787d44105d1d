/**
 * The stored programs (http-api 4.12): for each a row of the system graph,
 * `<urn:x-pathpool:system> <urn:x-pathpool:program:NAME> "commit modified definition"`, with the
 * numbers in base 36. The service writes and reads definitions; the store only compares them.
 */

import type { Validators } from '../../base/precondition.ts';
import { type ErrorData, errorData } from '../../errors.ts';
import { formatTerm, literal, parseTerm } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { ProgramOperation } from './program-operation.ts';

/** The most programs of a store: followers of changes evaluate each of them after each commit. */
export const MAX_PROGRAMS = 1_000;
/**
 * The most bytes of all programs together, with what belongs to them: the main thread keeps them in
 * memory, and reads all of them for their list.
 */
export const MAX_PROGRAM_BYTES = 32 * 1024 * 1024;

const PREDICATE_START = '<urn:x-pathpool:program:';

export interface ProgramRow {
  /** Number of the commit that last changed the program. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly definition: string;
}

/** The predicate of a program's row. Names need no escapes in an IRI. */
export function programPredicate(name: string): string {
  return `${PREDICATE_START}${name}>`;
}

/** Returns the literal with the row of a program; `NO_TERM` if it does not exist. */
export function programTerm(reader: SnapshotReader, name: string): TermId {
  const predicate = reader.find(programPredicate(name));
  if (predicate === NO_TERM) return NO_TERM;
  const found: TermId[] = [];
  reader.registry.objects(SYSTEM_GRAPH_ID, predicate, found);
  return found[0] ?? NO_TERM;
}

export function programRow(reader: SnapshotReader, name: string): ProgramRow | undefined {
  const term = programTerm(reader, name);
  return term === NO_TERM ? undefined : parseProgramRow(reader.text(term));
}

/** `term`: the literal, in canonical form. */
export function parseProgramRow(term: string): ProgramRow {
  const text = parseTerm(term).value;
  const afterSequence = text.indexOf(' ') + 1;
  const afterModified = text.indexOf(' ', afterSequence) + 1;
  return {
    sequence: Number.parseInt(text, 36),
    modified: Number.parseInt(text.slice(afterSequence), 36),
    definition: text.slice(afterModified),
  };
}

/** Returns the literal with a row, in canonical form. */
export function formatProgramRow({ sequence, modified, definition }: ProgramRow): string {
  return formatTerm(literal(`${sequence.toString(36)} ${modified.toString(36)} ${definition}`));
}

/** Returns the names of all programs, sorted. */
export function programNames(reader: SnapshotReader): string[] {
  const predicates: TermId[] = [];
  reader.registry.predicates(SYSTEM_GRAPH_ID, predicates);
  return predicates
    .map((id) => reader.text(id))
    .filter((text) => text.startsWith(PREDICATE_START))
    .map((text) => text.slice(PREDICATE_START.length, -1))
    .sort();
}

/** Returns the validators of a program; undefined if it does not exist. */
export function programState(
  reader: SnapshotReader,
  name: string,
  stateOf: (sequence: number) => string,
): Validators | undefined {
  const row = programRow(reader, name);
  return row && { state: stateOf(row.sequence), modified: row.modified };
}

/** Why an operation can't be done; undefined if it can. */
export function programRejection(reader: SnapshotReader, operation: ProgramOperation): ErrorData | undefined {
  if (operation.kind === 'remove-program') return undefined;
  const names = programNames(reader);
  const before = rowBytes(reader, operation.program);
  if (before === 0 && names.length >= MAX_PROGRAMS) return tooMany;
  const added = Buffer.byteLength(operation.definition) - before;
  if (added <= 0) return undefined;
  const stored = names.reduce((bytes, name) => bytes + rowBytes(reader, name), 0);
  return stored + added > MAX_PROGRAM_BYTES ? tooLong : undefined;
}

const tooMany = errorData(
  'store-full',
  `The store has ${MAX_PROGRAMS.toLocaleString('en')} programs, the most that it can have. Delete one.`,
);
const tooLong = errorData(
  'store-full',
  `All programs together can have ${MAX_PROGRAM_BYTES / 2 ** 20} MiB, and this one would exceed that. Delete others.`,
);

/** Returns 0 if there is no program of this name. */
function rowBytes(reader: SnapshotReader, name: string): number {
  const term = programTerm(reader, name);
  return term === NO_TERM ? 0 : reader.terms.end(term) - reader.terms.start(term);
}
