import type { Endpoint } from './endpoints/endpoint.ts';
import type { ServerEndpoint } from './endpoints/server-endpoint.ts';
import type { SuiteFiles } from './manifests/files.ts';
import { type ManifestTest, readManifest } from './manifests/manifest.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { runDescriptionTest } from './tests/description-tests.ts';
import { runHttpTest } from './tests/http-tests.ts';
import { runQueryTest, runSyntaxTest } from './tests/query-tests.ts';
import { runUpdateTest } from './tests/update-tests.ts';

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
  ['SPARQL 1.1 update syntax, negative', updates, /^Negative(Update)?SyntaxTest/, runSyntaxTest],
  ['results as CSV and TSV', ['csv-tsv-res'], /./, runQueryTest],
  ['results as JSON', ['json-res'], /./, runQueryTest],
];

/** Runs all suites of the language, one test after another. */
export async function runLanguageSuites(files: SuiteFiles, endpoint: Endpoint): Promise<Suite[]> {
  const done: Suite[] = [];
  for (const [name, folders, kind, run] of suites) {
    const tests = folders.flatMap((folder) => readManifest(files, folder));
    const chosen = tests.filter((test) => kind.test(test.kind));
    done.push(await runSuite(name, chosen, (test) => run(files, endpoint, test)));
  }
  return done;
}

/** Runs the suites of requests and responses. Each test starts without data. */
export async function runProtocolSuites(files: SuiteFiles, server: ServerEndpoint): Promise<Suite[]> {
  const { url } = server;
  const overHttp = async (test: ManifestTest) => {
    await server.fill({ defaultGraph: [], namedGraphs: new Map() });
    return runHttpTest(files, url, test);
  };
  const stores = ['manifest-direct.ttl', 'manifest-indirect.ttl'].flatMap((name) => {
    return readManifest(files, `graph-store-protocol/${name}`);
  });
  const descriptions = readManifest(files, 'service-description');
  const protocol = readManifest(files, 'protocol').filter(hasRequests);
  return [
    await runSuite('SPARQL 1.1 protocol', protocol, overHttp),
    await runSuite('service description', descriptions, (test) => runDescriptionTest(url, test)),
    await runSuite('graph store protocol', stores, overHttp),
  ];
}

/** The older edition describes these tests in prose. */
function hasRequests({ node }: ManifestTest): boolean {
  return node.one('mf:action') !== undefined;
}

async function runSuite(
  name: string,
  tests: readonly ManifestTest[],
  run: (test: ManifestTest) => Promise<Outcome>,
): Promise<Suite> {
  const outcomes: Outcome[] = [];
  for (const test of tests) outcomes.push(await outcomeOf(test.name, () => run(test)));
  return { name, outcomes };
}
