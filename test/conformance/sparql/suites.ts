import type { Endpoint } from './endpoint.ts';
import type { SuiteFiles } from './files.ts';
import { type ManifestTest, readManifest } from './manifest.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { runQueryTest, runSyntaxTest } from './query-tests.ts';
import { runUpdateTest } from './update-tests.ts';

export interface Suite {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
}

type Run = (files: SuiteFiles, endpoint: Endpoint, test: ManifestTest) => Promise<Outcome>;

/** Folders with tests of queries that need neither SERVICE nor entailment. */
const queries = [
  ...['aggregates', 'bind', 'bindings', 'cast', 'construct', 'exists', 'functions', 'grouping', 'negation'],
  ...['project-expression', 'property-path', 'subquery', 'syntax-query'],
];
const updates = [
  ...['add', 'basic-update', 'clear', 'copy', 'delete', 'delete-data', 'delete-insert', 'delete-where'],
  ...['drop', 'move', 'syntax-update-1', 'syntax-update-2', 'update-silent'],
];

/** Suites by the classes of their tests. */
const suites: readonly (readonly [string, readonly string[], RegExp, Run])[] = [
  ['SPARQL 1.1 query evaluation', queries, /^QueryEvaluationTest$/, runQueryTest],
  ['SPARQL 1.1 query syntax, positive', queries, /^PositiveSyntaxTest/, runSyntaxTest],
  ['SPARQL 1.1 query syntax, negative', queries, /^NegativeSyntaxTest/, runSyntaxTest],
  ['SPARQL 1.1 update evaluation', updates, /^UpdateEvaluationTest$/, runUpdateTest],
  ['SPARQL 1.1 update syntax, positive', updates, /^PositiveUpdateSyntaxTest/, runSyntaxTest],
  ['SPARQL 1.1 update syntax, negative', updates, /^NegativeUpdateSyntaxTest/, runSyntaxTest],
  ['results as CSV and TSV', ['csv-tsv-res'], /./, runQueryTest],
  ['results as JSON', ['json-res'], /./, runQueryTest],
];

/** All suites of the language, one test after another. */
export async function runLanguageSuites(files: SuiteFiles, endpoint: Endpoint): Promise<Suite[]> {
  const done: Suite[] = [];
  for (const [name, folders, kind, run] of suites) {
    const outcomes: Outcome[] = [];
    const tests = folders.flatMap((folder) => readManifest(files, folder));
    for (const test of tests.filter((each) => kind.test(each.kind))) {
      outcomes.push(await outcomeOf(test.name, () => run(files, endpoint, test)));
    }
    done.push({ name, outcomes });
  }
  return done;
}
