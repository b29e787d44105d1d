import { LRUCache } from 'lru-cache';
import type { Caller } from '../../base/caller.ts';
import type { Precondition, Validators } from '../../base/precondition.ts';
import { type ErrorData, failure, type Result } from '../../errors.ts';
import type { Selection, Traceability } from '../../pool/evaluation-request.ts';
import {
  type DeclaredStartSet,
  parseStartSet,
  type StartSet,
  type StartSetJson,
  startSetJson,
} from '../../rdf/model/resources/start-set.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { firstOutcome } from '../../store/main/transaction.ts';
import type { ProgramOperation } from '../../store/registry/program-operation.ts';
import {
  MAX_PROGRAMS,
  type ProgramRow,
  parseProgramRow,
  programNames,
  programTerm,
} from '../../store/registry/program-registry.ts';
import type { LdPathService } from './ldpath.ts';

/** A program as a client sends it. */
export interface ProgramDefinition {
  readonly source: string;
  /** Prefixes that the program does not declare, besides the server's table. */
  readonly namespaces?: Readonly<Record<string, string>>;
  /** Undefined: all subjects that are IRIs. */
  readonly starts: DeclaredStartSet | undefined;
}

/** A program that the store keeps. The server's prefixes apply at each use. */
export interface StoredProgram extends ProgramDefinition, Selection {
  readonly mode: 'program';
  readonly name: string;
  /** Number of the commit that last changed it. */
  readonly commit: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** The result of storing a program. */
export interface ProgramOutcome {
  /** Whether there was no program of this name. */
  readonly created: boolean;
  /** Number of the commit that stored the program; an earlier one if nothing changed. */
  readonly commit: number;
  /** A JSON array of `{"message","line","column"}`. */
  readonly warnings: Uint8Array;
}

/** The total length of the programs that are remembered, in characters. */
const REMEMBERED_LENGTH = 8 * 1024 * 1024;

interface Remembered {
  readonly term: TermId;
  /** Of the dictionary that has the term. */
  readonly generation: number;
  readonly program: StoredProgram;
}

/** Whether a text can be the name of a program (http-api P-40). */
export function isProgramName(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(name);
}

/** The programs that the store keeps by name (http-api 4.12), as the newest snapshot has them. */
export class StoredPrograms {
  readonly #store: Pick<StoreClient, 'snapshot' | 'commit' | 'state' | 'identityName' | 'writeError'>;
  readonly #paths: Pick<LdPathService, 'check' | 'traceability'>;
  readonly #snapshots = new SnapshotCache();
  readonly #traceabilities = new WeakMap<ProgramDefinition, Traceability>();
  readonly #remembered = new LRUCache<string, Remembered>({
    max: MAX_PROGRAMS,
    maxSize: REMEMBERED_LENGTH,
    sizeCalculation: ({ program }) => program.source.length + 1,
  });

  constructor(
    store: Pick<StoreClient, 'snapshot' | 'commit' | 'state' | 'identityName' | 'writeError'>,
    paths: Pick<LdPathService, 'check' | 'traceability'>,
  ) {
    this.#store = store;
    this.#paths = paths;
  }

  /** Why programs can't be written now; undefined if they can. */
  get writeError(): ErrorData | undefined {
    return this.#store.writeError;
  }

  get(name: string): StoredProgram | undefined {
    return isProgramName(name) ? this.#read(this.#reader, name) : undefined;
  }

  /** Returns all programs, sorted by name. */
  list(): readonly StoredProgram[] {
    const reader = this.#reader;
    return programNames(reader).flatMap((name) => this.#read(reader, name) ?? []);
  }

  /** Analyses a program. One that does not compile any more is not incremental. */
  async traceability(program: ProgramDefinition, caller: Caller): Promise<Traceability> {
    const known = this.#traceabilities.get(program);
    if (known) return known;
    const found = await this.#paths.traceability({ mode: 'program', ...program }, caller);
    if (!found.ok) return { incremental: false, reason: found.error.message };
    const traceability = JSON.parse(Buffer.from(found.value).toString()) as Traceability;
    this.#traceabilities.set(program, traceability);
    return traceability;
  }

  /** Returns the validators of a version of a program. */
  validators({ commit, modified }: Pick<StoredProgram, 'commit' | 'modified'>): Validators {
    return { state: this.#store.state(commit), modified };
  }

  /** Returns a commit as clients name it: `<identity>.<commit>` (http-api G-150). */
  position(commit: number): string {
    return `${this.#store.identityName}.${commit}`;
  }

  /**
   * Compiles and stores a program. An equal one changes nothing. `name`: see `isProgramName`.
   * Errors: those of compilation, `precondition-failed`, `store-full`, `writes-disabled`.
   */
  async put(
    name: string,
    definition: ProgramDefinition,
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<ProgramOutcome>> {
    const checked = await this.#paths.check({ mode: 'program', ...definition }, caller);
    if (!checked.ok) return checked;
    const text = definitionText(definition);
    const operation = { kind: 'store-program', program: name, definition: text } as const;
    const committed = await this.#commit(operation, precondition);
    if (!committed.ok) return committed;
    const { existed, contentSequence: commit } = committed.value;
    if (commit === undefined) return failure('internal', 'The store returned no commit of a program.');
    return { ok: true, value: { created: !existed, commit, warnings: checked.value } };
  }

  /**
   * Returns false if there was no such program. Errors `precondition-failed`, `writes-disabled`.
   */
  async remove(name: string, precondition: Precondition | undefined): Promise<Result<boolean>> {
    const committed = await this.#commit({ kind: 'remove-program', program: name }, precondition);
    return committed.ok ? { ok: true, value: committed.value.existed } : committed;
  }

  async #commit(operation: ProgramOperation, precondition: Precondition | undefined) {
    const preconditions = precondition ? [{ ...precondition, program: operation.program }] : [];
    return firstOutcome(await this.#store.commit({ preconditions, operations: [operation] }));
  }

  get #reader(): SnapshotReader {
    return this.#snapshots.open(this.#store.snapshot);
  }

  #read(reader: SnapshotReader, name: string): StoredProgram | undefined {
    const term = programTerm(reader, name);
    if (term === NO_TERM) return undefined;
    const { generation } = reader.terms;
    const known = this.#remembered.get(name);
    if (known?.term === term && known.generation === generation) return known.program;
    const program = programOf(name, parseProgramRow(reader.text(term)));
    this.#remembered.set(name, { term, generation, program });
    return program;
  }
}

/** The members of a definition in the store. */
interface StoredMembers {
  readonly program: string;
  readonly starts: StartSetJson | null;
  readonly namespaces?: Readonly<Record<string, string>>;
}

/** Equal definitions have equal texts. */
function definitionText({ source, starts, namespaces = {} }: ProgramDefinition): string {
  const declared = Object.entries(namespaces).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const members: StoredMembers = {
    program: source,
    starts: starts ? startSetJson(starts) : null,
    ...(declared.length > 0 && { namespaces: Object.fromEntries(declared) }),
  };
  return JSON.stringify(members);
}

function programOf(name: string, { sequence: commit, modified, definition }: ProgramRow): StoredProgram {
  const { program: source, starts, namespaces } = JSON.parse(definition) as StoredMembers;
  return {
    mode: 'program',
    name,
    source,
    ...(namespaces && { namespaces }),
    starts: declaredSet(starts),
    commit,
    modified,
  };
}

function declaredSet(json: StartSetJson | null): DeclaredStartSet | undefined {
  const parsed = parseStartSet(json);
  return parsed.ok && isDeclared(parsed.value) ? parsed.value : undefined;
}

/** Whether a stored program may declare a set. */
export function isDeclared(set: StartSet): set is DeclaredStartSet {
  return set.kind !== 'path';
}
