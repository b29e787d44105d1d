import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { projectFile } from '../../support/project.ts';
import { writeSection } from '../report-section.ts';
import type { ContainerKind } from './containers.ts';
import { levels, type Outcome } from './results.ts';

export type SuiteResults = ReadonlyMap<ContainerKind, readonly Outcome[]>;

const report = projectFile('test/conformance/ldp-suite/report.md');
const head = `# W3C LDP 1.0 test suite

What the suite says of this server. Made by \`npm run test:ldp\`.

The containers *basic*, *direct* and *indirect* are their own membership resource, with
\`ldp:hasMemberRelation\`. *inverse* is a Direct Container with another membership resource, and with
\`ldp:isMemberOfRelation\`.
`;

/** Writes a section of the report, and keeps the others. */
export async function writeReport(heading: string, about: string, results: SuiteResults): Promise<void> {
  if (!existsSync(report)) await writeFile(report, head);
  await writeSection(report, heading, sectionOf(heading, about, results));
}

/** Results as Markdown: counts, failures, tests without code, and why tests were skipped. */
function sectionOf(heading: string, about: string, results: SuiteResults): string {
  const lines = [
    heading,
    '',
    about,
    '',
    '| container | level | passed | empty | failed | skipped |',
    '|---|---|---|---|---|---|',
  ];
  for (const [kind, outcomes] of results) {
    for (const level of levels) {
      lines.push(
        countRow(
          `${kind} | ${level}`,
          outcomes.filter((outcome) => outcome.level === level),
        ),
      );
    }
    lines.push(countRow(`${kind} | all`, outcomes));
  }
  lines.push('', '### Failed', '', ...listed(results, 'fail'));
  lines.push('', '### Empty', '', ...listed(results, 'empty'));
  lines.push('', '### Skipped', '', ...listed(results, 'skip'));
  return `${lines.join('\n')}\n`;
}

function countRow(name: string, outcomes: readonly Outcome[]): string {
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
  return `| ${name} | ${count('pass')} | ${count('empty')} | ${count('fail')} | ${count('skip')} |`;
}

/** A row for each test and reason, with the containers and classes that it concerns. */
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
