import type { GraphPrecondition, Operation, Transaction } from '../../src/store/main/transaction.ts';
import { blockOf } from '../support/blocks.ts';
import type { ModelOperation, ModelRow, ModelTransaction } from './store-model.ts';

export type Random = () => number;

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)]!;
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

const graphs = ['urn:x:g0', 'urn:x:g1', 'urn:x:g2', 'urn:x:g3'];
const longText = 'long '.repeat(300);

/**
 * Uses only a few graphs and terms, so that transactions conflict. `state`: returns that of some
 * commit.
 */
export function randomTransaction(random: Random, state: () => string): ModelTransaction {
  const count = chance(random, 0.7) ? 1 : 1 + below(random, 3);
  return {
    preconditions: chance(random, 0.2) ? [randomPrecondition(random, state)] : [],
    operations: Array.from({ length: count }, () => randomOperation(random)),
  };
}

function randomPrecondition(random: Random, state: () => string): GraphPrecondition {
  const states = chance(random, 0.5) ? ('*' as const) : [state(), state()];
  const graph = oneOf(random, graphs);
  return chance(random, 0.5) ? { graph, match: states } : { graph, noneMatch: states };
}

function randomOperation(random: Random): ModelOperation {
  const graph = oneOf(random, graphs);
  const kind = oneOf(random, [
    'merge',
    'merge',
    'replace',
    'replace',
    'load',
    'edit',
    'drop',
    'update',
  ] as const);
  if (kind === 'update') return randomUpdate(random);
  if (kind === 'drop') return { kind, graph, keep: chance(random, 0.3) };
  const rows = randomRows(random, kind === 'load');
  if (kind === 'edit') return { kind, graph, rows, removals: randomRows(random, false).filter(isGround) };
  return { kind, graph, rows };
}

function randomUpdate(random: Random): ModelOperation {
  const inGraph = (row: ModelRow): ModelRow => [row[0], row[1], row[2], oneOf(random, graphs)];
  const rows = randomRows(random, false).map(inGraph);
  const removals = randomRows(random, false).filter(isGround).map(inGraph);
  const some = () => graphs.filter(() => chance(random, 0.2));
  const [cleared, created] = [some(), some()];
  const isLeft = (graph: string) => !created.includes(graph) && !rows.some((row) => row[3] === graph);
  const dropped = cleared.filter((graph) => isLeft(graph) && chance(random, 0.5));
  return { kind: 'update', cleared, removals, rows, created, dropped };
}

function randomRows(random: Random, withGraphs: boolean): ModelRow[] {
  const count = chance(random, 0.005) ? 600 : chance(random, 0.2) ? 0 : below(random, 9);
  const many = count > 100;
  return Array.from({ length: count }, () => {
    const row = [randomSubject(random), `<urn:p${below(random, 3)}>`, randomObject(random, many)] as const;
    return withGraphs && chance(random, 0.6) ? [...row, oneOf(random, graphs)] : row;
  });
}

function randomSubject(random: Random): string {
  return chance(random, 0.12) ? `_:n${below(random, 3)}` : `<urn:s${below(random, 6)}>`;
}

function randomObject(random: Random, many: boolean): string {
  const choice = random();
  if (many) return `"${below(random, 2000)}"`;
  if (choice < 0.1) return `_:n${below(random, 3)}`;
  if (choice < 0.4) return `<urn:s${below(random, 6)}>`;
  if (choice < 0.5) return `"${longText}${below(random, 3)}"`;
  if (choice < 0.6) return `"l\\n\\"${below(random, 4)}"@en`;
  return `"${below(random, 12)}"`;
}

function isGround([subject, , object]: ModelRow): boolean {
  return !subject.startsWith('_:') && !object.startsWith('_:');
}

/** The same for the store; a new one for each use, since blocks are handed over. */
export function toTransaction({ preconditions, operations }: ModelTransaction): Transaction {
  return { preconditions, operations: operations.map(toOperation) };
}

function toOperation(operation: ModelOperation): Operation {
  if (operation.kind === 'drop') return operation;
  if (operation.kind === 'update') {
    const { rows, removals, ...others } = operation;
    return { ...others, additions: toBlock(rows), removals: toBlock(removals) };
  }
  const { kind, graph, rows } = operation;
  if (kind === 'load') return { kind, defaultGraph: graph, block: toBlock(rows) };
  if (kind !== 'edit') return { kind, graph, block: toBlock(rows) };
  return { kind, graph, additions: toBlock(rows), removals: toBlock(operation.removals) };
}

function toBlock(rows: readonly ModelRow[]) {
  const lines = rows.map(([s, p, o, g]) => `${s} ${p} ${o} ${g === undefined ? '' : `<${g}> `}.`);
  return blockOf(lines.join('\n'));
}
