import { NO_TERM } from '../../rdf/model/term-id.ts';
import { SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import { type Changes, noChanges } from '../../snapshot/write/changes.ts';
import { changeDate } from '../graphs/change-date.ts';
import type { Stamp } from '../graphs/effects.ts';
import type { ProgramOperation } from '../registry/program-operation.ts';
import {
  formatProgramRow,
  parseProgramRow,
  programPredicate,
  programTerm,
} from '../registry/program-registry.ts';

interface ProgramPlan {
  readonly changes: Changes;
  /** Whether there was a program of this name before. */
  readonly existed: boolean;
  /** Number of the commit that stored the program, if there is one afterwards. */
  readonly contentSequence?: number;
}

/** Plans an operation on a stored program, see `change-plan.ts` of the snapshot. */
export function planProgram(basis: PlanBasis, operation: ProgramOperation, stamp: Stamp): ProgramPlan {
  const { dictionary } = basis;
  const reader = basis.reader();
  const term = programTerm(reader, operation.program);
  const existed = term !== NO_TERM;
  const row = (object: number) => {
    const predicate = dictionary.internText(programPredicate(operation.program));
    return Uint32Array.of(SYSTEM_GRAPH_ID, predicate, object, SYSTEM_GRAPH_ID);
  };
  const removals = existed ? row(term) : noChanges.removals;
  if (operation.kind === 'remove-program') {
    return { changes: { additions: noChanges.additions, removals }, existed };
  }
  const { definition } = operation;
  const before = existed ? parseProgramRow(reader.text(term)) : undefined;
  if (before?.definition === definition) {
    return { changes: noChanges, existed, contentSequence: before.sequence };
  }
  const { sequence } = stamp;
  const modified = changeDate(stamp.modified, before?.modified);
  // The terms of a row get their ids in the order of its columns.
  const additions = row(NO_TERM);
  additions[2] = dictionary.internText(formatProgramRow({ sequence, modified, definition }));
  return { changes: { additions, removals }, existed, contentSequence: sequence };
}
