import { writeSection } from '../report-section.ts';
import type { Outcome } from './outcome.ts';
import type { Suite } from './suites.ts';

const HEADING = '## SPARQL 1.1';
const LONGEST_MESSAGE = 300;

/**
 * Replaces the results in a document. `bare`: the results of Oxigraph alone for the suites that do
 * not need HTTP. `reasons`: why tests fail, by their names.
 */
export async function writeReport(
  document: string,
  source: string,
  suites: readonly Suite[],
  bare: readonly Suite[],
  reasons: Readonly<Record<string, string>>,
): Promise<void> {
  await writeSection(document, HEADING, section(source, suites, bare, reasons));
}

function section(
  source: string,
  suites: readonly Suite[],
  bare: readonly Suite[],
  reasons: Readonly<Record<string, string>>,
): string {
  const rows = suites.map((suite) =>
    row(
      suite,
      bare.find(({ name }) => name === suite.name),
    ),
  );
  const outcomes = suites.flatMap((suite) => suite.outcomes);
  return `${HEADING}

The suites of ${source} over HTTP, against a server of this revision; written by \`npm run test:sparql\`. The
numbers include all tests except those of SERVICE, of entailment, and of the deprecated
\`http-rdf-update\`. Terms are compared exactly, up to the names of blank nodes. *By value* counts the
passed tests whose numbers or booleans are right but written differently ("1.0" for "1"), as computed
ones may be. *Oxigraph alone* is its npm package in process, without what the server adds.

| suite | passed | of | by value | Oxigraph alone |
|---|---|---|---|---|
${rows.join('\n')}

${failures(outcomes, reasons)}`;
}

function row({ name, outcomes }: Suite, bare: Suite | undefined): string {
  const others = bare ? `${passes(bare.outcomes)}, ${count(bare.outcomes, 'value')} by value` : '';
  return `| ${name} | ${passes(outcomes)} | ${outcomes.length} | ${count(outcomes, 'value')} | ${others} |`;
}

function passes(outcomes: readonly Outcome[]): number {
  return outcomes.length - count(outcomes, 'fail');
}

function count(outcomes: readonly Outcome[], status: Outcome['status']): number {
  return outcomes.filter((outcome) => outcome.status === status).length;
}

function failures(outcomes: readonly Outcome[], reasons: Readonly<Record<string, string>>): string {
  const failed = outcomes.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return 'No test fails.';
  const rows = failed.map(({ test, message }) => `| \`${test}\` | ${reasons[test] ?? cell(message)} |`);
  return ['| failed | reason |', '|---|---|', ...rows].join('\n');
}

function cell(message: string): string {
  return message.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, LONGEST_MESSAGE);
}
