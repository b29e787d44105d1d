import { type Level, levels, type Outcome } from './results.ts';
import type { ContainerKind } from './suite.ts';

export type SuiteResults = ReadonlyMap<ContainerKind, readonly Outcome[]>;

/** Results as Markdown: counts, failures, and skipped tests with the suite's reasons. */
export function reportOf(results: SuiteResults): string {
  const lines = [
    '# W3C LDP 1.0 test suite',
    '',
    'What `org.w3:ldp-testsuite:0.1.1` says of this server. Made by `npm run test:ldp`.',
    '',
    '| container | level | passed | failed | skipped |',
    '|---|---|---|---|---|',
  ];
  for (const [kind, outcomes] of results) {
    for (const level of levels) lines.push(countRow(kind, level, outcomes));
  }
  lines.push(
    '',
    '## Failed',
    '',
    ...listed(results, 'fail'),
    '',
    '## Skipped',
    '',
    ...listed(results, 'skip'),
  );
  return `${lines.join('\n')}\n`;
}

/** One line a level and container. */
export function countRow(kind: ContainerKind, level: Level, outcomes: readonly Outcome[]): string {
  const ofLevel = outcomes.filter((outcome) => outcome.level === level);
  const count = (status: Outcome['status']) => ofLevel.filter((outcome) => outcome.status === status).length;
  return `| ${kind} | ${level} | ${count('pass')} | ${count('fail')} | ${count('skip')} |`;
}

/** A row a test and reason, with the containers and classes that it concerns. */
function listed(results: SuiteResults, status: Outcome['status']): string[] {
  const places = new Map<string, string[]>();
  for (const [kind, outcomes] of results) {
    for (const outcome of outcomes) {
      if (outcome.status !== status) continue;
      const reason = outcome.message.replace(/\s+/g, ' ').replaceAll('|', '\\|');
      const key = `${outcome.test} | ${outcome.level} | ${reason}`;
      places.set(key, [...(places.get(key) ?? []), `${kind} (${outcome.on})`]);
    }
  }
  if (places.size === 0) return ['None.'];
  const rows = [...places].map(([key, where]) => `| ${key} | ${where.join(', ')} |`).sort();
  return ['| test | level | reason | run |', '|---|---|---|---|', ...rows];
}
