import type { Restricted } from '../../base/graph-access.ts';
import type { Result } from '../../errors.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { Import, ImportTasks } from '../../services/tasks/import-tasks.ts';
import type { StoreClient } from '../../store/main/client.ts';
import { parentOf } from '../model/names.ts';
import type { LdpEntry } from '../registry.ts';
import type { LdpOperation, LdpPrecondition } from '../store/operation.ts';
import { ldpClientOf } from './permissions/ldp-client.ts';
import type { ResourceLock } from './resource-lock.ts';
import type { LdpSpace } from './space.ts';

/** Operations on the LDP space that neither create nor remove children. */
type Change = Extract<LdpOperation, { kind: 'ldp-replace' | 'ldp-edit' | 'ldp-content' }>;
type Creation = Extract<LdpOperation, { kind: 'ldp-create' }>;

/** Commits single operations. The results are the `<state>` of the target afterwards. */
export class LdpCommits {
  readonly #store: Pick<StoreClient, 'beginCommit' | 'state'>;
  readonly #space: LdpSpace;
  readonly #imports: ImportTasks;
  readonly #lock: ResourceLock;

  constructor(
    store: Pick<StoreClient, 'beginCommit' | 'state'>,
    space: LdpSpace,
    imports: ImportTasks,
    lock: ResourceLock,
  ) {
    this.#store = store;
    this.#space = space;
    this.#imports = imports;
    this.#lock = lock;
  }

  /**
   * Changes a resource that is still as `entry` describes it; otherwise fails with
   * `precondition-failed`.
   */
  change(operation: Change, entry: LdpEntry, task?: Import): Promise<Result<string>> {
    const { target } = operation;
    const unchanged = { target, match: [this.#space.state(entry)] };
    return this.#commit(operation, [unchanged], task);
  }

  /** Errors: those of the operation. */
  create(
    operation: Creation,
    preconditions: readonly LdpPrecondition[],
    task?: Import,
  ): Promise<Result<string>> {
    const parent = parentOf(operation.target);
    return this.#lock.pass(parent, () => this.#commit(operation, preconditions, task));
  }

  /** Errors: those of the operation. */
  remove(
    target: string,
    preconditions: readonly LdpPrecondition[],
    client: Restricted,
  ): Promise<Result<string>> {
    const operation = { kind: 'ldp-delete', target, ...ldpClientOf(client, this.#space.root) } as const;
    return this.#lock.pass(parentOf(target), () => this.#commit(operation, preconditions));
  }

  async #commit(
    operation: LdpOperation,
    preconditions: readonly LdpPrecondition[],
    task?: Import,
  ): Promise<Result<string>> {
    const commit = this.#store.beginCommit({ preconditions, operations: [operation] });
    const committed = await (task ? this.#imports.during(task, triplesOf(operation), commit) : commit.result);
    if (!committed.ok) return committed;
    return { ok: true, value: this.#stateAt(operation.target, committed.value.sequence) };
  }

  /**
   * Ignores later commits of others: with their state, the client could overwrite data that it has
   * never seen.
   */
  #stateAt(target: string, sequence: number): string {
    const entry = this.#space.entry(target);
    const own = entry === undefined || entry === 'gone' ? sequence : Math.min(entry.sequence, sequence);
    return this.#store.state(own);
  }
}

function triplesOf(operation: LdpOperation): number {
  const blocks: QuadBlock[] = [];
  if ('block' in operation) blocks.push(operation.block);
  if (operation.kind === 'ldp-edit') blocks.push(operation.additions, operation.removals);
  return blocks.reduce((count, { quads }) => count + quads.length / 4, 0);
}
