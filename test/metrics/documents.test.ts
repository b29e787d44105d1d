/** docs/monitoring.md and the dashboard name the metrics that exist. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { AppFixture } from '../support/app-fixture.ts';
import { valuesIn } from '../support/metrics.ts';
import { projectFile } from '../support/project.ts';

const monitoring = readFileSync(projectFile('docs/monitoring.md'), 'utf8');
const dashboard = readFileSync(projectFile('docs/grafana-dashboard.json'), 'utf8');

async function metricsText(t: TestContext): Promise<string> {
  const { url } = await new AppFixture(t).start({ sparqlThreads: 1 });
  await fetch(`${url}/nothing`);
  return (await fetch(`${url}/metrics`)).text();
}

/** `name type`, for each metric. */
function typesIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
}

/** The metrics that a text names, without the suffixes of a histogram's parts. */
function namesIn(text: string): Set<string> {
  const names = [...text.matchAll(/\bpathpool_\w+/g)].map(([name]) => name);
  return new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')));
}

describe('docs/monitoring.md', () => {
  it('lists every metric, with its type and labels, and no other', async (t) => {
    const text = await metricsText(t);
    const rows = [...monitoring.matchAll(/^\| `(pathpool_\w+)` \| (\w+) \| ([^|]*)\| [^|]+\|$/gm)];
    assert.deepEqual(rows.map(([, name, type]) => `${name} ${type}`).sort(), typesIn(text).sort());
    const samples = [...valuesIn(text).keys()];
    for (const [, name, , labels] of rows) {
      const listed = [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!);
      const sample = samples.find((each) => each.replace(/(?:_count)?(?:\{.*)?$/, '') === name);
      assert.ok(sample, name);
      const given = [...sample.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!);
      assert.deepEqual(given, listed, name);
    }
  });

  it('names no metric that does not exist, nor does the dashboard', async (t) => {
    const known = new Set(typesIn(await metricsText(t)).map((each) => each.split(' ')[0]!));
    for (const text of [monitoring, dashboard]) {
      assert.deepEqual(
        [...namesIn(text)].filter((name) => !known.has(name)),
        [],
      );
    }
    assert.deepEqual(
      [...known].filter((name) => !namesIn(dashboard).has(name)),
      [],
      'metrics that no panel shows',
    );
  });

  it('names every reason and every queue', async (t) => {
    const samples = [...valuesIn(await metricsText(t)).keys()];
    const queues = samples.map((each) => /jobs_waiting\{queue="([^"]+)"/.exec(each)?.[1]).filter(Boolean);
    assert.ok(queues.length > 5);
    for (const queue of queues) assert.ok(monitoring.includes(`\`${queue}\``), queue);
    const operations = readFileSync(projectFile('docs/operations.md'), 'utf8');
    const reasons = samples.map((each) => /hindrance\{reason="([^"]+)"/.exec(each)?.[1]).filter(Boolean);
    for (const reason of reasons) assert.ok(operations.includes(`| \`${reason}\` |`), reason);
  });
});

describe('the dashboard', () => {
  it('has panels of its own ids, each with a query', () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { id: number; type: string; targets?: { expr: string }[] }[];
    };
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { type, targets } of panels) assert.equal(type === 'row', (targets?.length ?? 0) === 0);
  });
});
