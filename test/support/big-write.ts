import { type ErrorData, type Result, toErrorData } from '../../src/errors.ts';
import type { Disk } from '../../src/journal/disk/disk.ts';
import { buildChanges } from '../../src/store/big-write/build-changes.ts';
import { type BigWriteHost, commitBigWrite } from '../../src/store/big-write/commit.ts';
import { encodeChanges } from '../../src/store/big-write/encode-changes.ts';
import { planChanges } from '../../src/store/big-write/plan-changes.ts';
import type { GraphOperation, Transaction, TransactionResult } from '../../src/store/main/transaction.ts';
import type { ChangeRequest, WorkedOut } from '../../src/store/messages.ts';
import { isValid } from '../../src/store/planning/prepared-changes.ts';
import { outdated, type Store } from '../../src/store/thread/store.ts';

/** Computes a part of a change as a pool thread would, with its own view of the disk. */
export async function workOut(request: ChangeRequest, disk: Disk | null): Promise<WorkedOut> {
  try {
    return { ok: true, value: await workedOut(request, disk) };
  } catch (error) {
    return { ok: false, error: toErrorData(error) };
  }
}

function workedOut(request: ChangeRequest, disk: Disk | null) {
  switch (request.kind) {
    case 'plan-changes':
      return planChanges(request);
    case 'build-changes':
      return buildChanges(disk, request);
    case 'encode-changes':
      return encodeChanges(request);
  }
}

export interface BigWriteOptions {
  /** Called before each part is computed. */
  readonly before?: (request: ChangeRequest) => Promise<void> | void;
  /** Called when the graphs are locked. */
  readonly onHold?: (graphs: readonly string[]) => void;
  /** Committed in the same group. */
  readonly beside?: readonly Transaction[];
}

/**
 * Commits a transaction of one operation in the way that the store thread commits a big one,
 * without concurrent commits.
 */
export async function commitBig(
  store: Store,
  disk: Disk | null,
  transaction: Transaction,
  { before, onHold, beside = [] }: BigWriteOptions = {},
): Promise<Result<TransactionResult>> {
  const answers: Result<TransactionResult>[] = [];
  const host: BigWriteHost = {
    store,
    directory: '',
    lease: undefined,
    turn: async (work) => work(),
    workOut: async (request: ChangeRequest) => {
      await before?.(request);
      return (await workOut(request, disk)) as Result<never>;
    },
    install: async (prepared) => {
      if (!isValid(prepared)) return undefined;
      const { results } = await store.commit([{ ...transaction, prepared }, ...beside]);
      const [result] = results;
      if (result?.ok === false && result.error === outdated) return undefined;
      answers.push(result!);
      return result;
    },
    hold: async (graphs) => {
      onHold?.(graphs);
      return () => {};
    },
  };
  const error = await commitBigWrite(transaction, transaction.operations[0] as GraphOperation, host);
  return error ? refused(error) : answers[0]!;
}

function refused(error: ErrorData): Result<never> {
  return { ok: false, error };
}
