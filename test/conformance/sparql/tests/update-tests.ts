import { triples } from '../answers/answer.ts';
import { type Row, sameRows } from '../answers/rows.ts';
import type { Endpoint, TestData } from '../endpoints/endpoint.ts';
import type { Described } from '../manifests/described.ts';
import type { SuiteFiles } from '../manifests/files.ts';
import type { ManifestTest } from '../manifests/manifest.ts';
import { failed, type Outcome, passed } from '../outcome.ts';
import { withBase } from './query-tests.ts';

/** `UpdateEvaluationTest`. Graphs are compared one by one; an empty graph counts as missing. */
export async function runUpdateTest(
  files: SuiteFiles,
  endpoint: Endpoint,
  test: ManifestTest,
): Promise<Outcome> {
  const action = test.node.one('mf:action')!;
  await endpoint.fill(dataOf(files, action));
  const request = action.one('ut:request')!.value;
  const reply = await endpoint.update(withBase(files.text(request), request));
  if (reply.status >= 300) return failed(test.name, `${reply.status}: ${reply.body}`);
  const expected = graphsOf(dataOf(files, test.node.one('mf:result')!));
  const actual = await endpoint.graphs();
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    const [wanted, found] = [expected.get(name) ?? [], actual.get(name) ?? []];
    if (!sameRows(wanted, found)) return failed(test.name, `${name}: expected ${wanted}; found ${found}`);
  }
  return passed(test.name);
}

function dataOf(files: SuiteFiles, node: Described): TestData {
  const named = node.all('ut:graphData').map((graph) => {
    const name = graph.one('rdfs:label')!.value;
    return [name, files.quads(graph.one('ut:graph')!.value)] as const;
  });
  return {
    defaultGraph: node.all('ut:data').flatMap(({ value }) => files.quads(value)),
    namedGraphs: new Map(named),
  };
}

function graphsOf({ defaultGraph, namedGraphs }: TestData): Map<string, Row[]> {
  return new Map(
    [...namedGraphs, ['', defaultGraph] as const].map(([name, quads]) => [name, triples(quads)]),
  );
}
