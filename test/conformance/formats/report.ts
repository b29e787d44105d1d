import { writeSection } from '../report-section.ts';
import type { Outcome } from '../sparql/outcome.ts';

const HEADING = '## RDF formats';
const LONGEST_MESSAGE = 300;

export interface SuiteOutcome {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
}

/** Replaces the results in a document. */
export function writeReport(
  document: string,
  source: string,
  suites: readonly SuiteOutcome[],
  reasons: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = suites.map(({ name, outcomes }) => {
    const passes = outcomes.filter(({ status }) => status === 'pass').length;
    return `| ${name} | ${passes} | ${outcomes.length} |`;
  });
  const section = `${HEADING}

The suites of ${source} over HTTP,
against a server of this revision; written by \`npm run test:formats\`. All entries of the manifests
of RDF 1.1 and 1.2 are counted (those of \`rdf-mt\` and \`rdf-semantics\` test entailment, not formats;
those of \`c14n\` are counted as *read*), and all of JSON-LD's \`toRdf\` and \`fromRdf\`, except those for
processors of JSON-LD 1.0 (\`specVersion\`). The server has the contexts that the tests of JSON-LD name
as \`--context\`.

- *read*: the document is sent, and what the server then stores is compared with the expected graph.
  Terms are compared exactly, including the case of language tags; blank nodes may have other names.
  Names of graphs are compared where no IRI depends on the base and no name is a blank node. Such
  documents are sent to \`/dataset\`, and the others to \`/context\`, where the request sets the base and
  all triples go to one graph.
- *positive syntax*: the document is accepted.
- *negative syntax*: the document is rejected with 400, line and column, and nothing is stored.
- *write*: quads are sent, and \`/dataset\` as JSON-LD is compared with the expected document. Its
  order and the names of blank nodes may differ.

| suite | passed | of |
|---|---|---|
${rows.join('\n')}

${failures(suites, reasons)}`;
  return writeSection(document, HEADING, section);
}

/** Tests that fail for one reason are one row. */
function failures(suites: readonly SuiteOutcome[], reasons: Readonly<Record<string, string>>): string {
  const failed = suites.flatMap(({ outcomes }) => outcomes.filter(({ status }) => status === 'fail'));
  if (failed.length === 0) return 'No test fails.';
  const byReason = new Map<string, string[]>();
  for (const { test, message } of failed) {
    const reason =
      reasons[test] ?? message.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, LONGEST_MESSAGE);
    byReason.set(reason, [...(byReason.get(reason) ?? []), `\`${test}\``]);
  }
  const rows = [...byReason].map(([reason, tests]) => `| ${tests.join(', ')} | ${reason} |`);
  return ['| failed | reason |', '|---|---|', ...rows].join('\n');
}
