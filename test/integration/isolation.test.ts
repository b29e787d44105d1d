import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metricsOf } from '../support/metrics.ts';
import { startServer } from '../support/server-process.ts';

const LIMITS = [
  ...['--evaluation-time', '1', '--evaluation-steps', '200000', '--evaluation-terms', '50000'],
  ...['--thread-heap', '128MiB', '--max-program', '64KiB'],
];
const PEOPLE = 200;
const BAD = 500;
const CLIENTS = 16;

const NICK = `${'a'.repeat(40)}b`;

const person = (i: number) => `http://example.org/person/${i % PEOPLE}`;

const DATA = `@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n${Array.from(
  { length: PEOPLE },
  (_, i) =>
    `<${person(i)}> foaf:name "Person ${i}" ; foaf:nick "${NICK}" ; foaf:knows <${person(i + 1)}>, <${person(i + 7)}> .`,
).join('\n')}`;

/** A bad program, and how its evaluation may end. This can depend on what else runs. */
interface Bad {
  readonly name: string;
  readonly program: (i: number) => string;
  readonly ends: readonly string[];
}

const bad: readonly Bad[] = [
  {
    name: 'an endless recursion',
    program: (i) => `x = (fn:concat(., "x${i}"))+ ;`,
    ends: ['504 budget-exceeded', '504 time-limit'],
  },
  {
    name: 'a memory bomb',
    program: (i) =>
      `x = (fn:concat(., "a${i}") | fn:concat("b", .) | foaf:knows / fn:concat(foaf:name, .))+ ;`,
    ends: ['504 budget-exceeded', '504 time-limit'],
  },
  {
    name: 'a regular expression that takes exponential time in a backtracking engine',
    program: () => 'x = fn:replace(foaf:nick, "(a+)+$", "x") ;',
    ends: [`200 {"x":[{"type":"literal","value":"${NICK}"}]}`],
  },
  {
    name: 'a program that is too big',
    program: (i) => `x = foaf:name ; # ${'x'.repeat(70_000)} ${i}`,
    ends: ['413 too-large'],
  },
  {
    name: 'a program that is nested too deeply',
    program: (i) => `x${i} = ${'('.repeat(20_000)}foaf:name${')'.repeat(20_000)} ;`,
    ends: ['400 parse-error', '504 time-limit'],
  },
];

describe('bad programs', () => {
  it('get their errors if 500 come at once, and ordinary programs get their results', {
    timeout: 300_000,
  }, async (t) => {
    const { url } = await startServer(t, ['--memory', '--threads', '2', ...LIMITS]);
    const headers = { 'Content-Type': 'text/turtle' };
    const put = await fetch(`${url}/context?graph=urn:x:people`, { method: 'PUT', headers, body: DATA });
    assert.equal(put.status, 201);

    let over = false;
    let evaluated = 0;
    const ordinary = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = client; !over; i += CLIENTS) {
        const start = encodeURIComponent(person(i));
        const path = encodeURIComponent('foaf:knows / foaf:name');
        const response = await fetch(`${url}/ldpath/path?path=${path}&uri=${start}`);
        assert.equal(response.status, 200);
        const names = [1, 7].map((step) => `Person ${(i + step) % PEOPLE}`);
        const values = ((await response.json()) as { value: string }[]).map(({ value }) => value);
        assert.deepEqual(values.sort(), names.sort());
        evaluated++;
      }
    });
    const ends = await Promise.all(
      Array.from({ length: BAD }, (_, i) => endOf(url, bad[i % bad.length]!.program(i))),
    );
    over = true;
    await Promise.all(ordinary);

    for (const [kind, { name, ends: expected }] of bad.entries()) {
      const unexpected = ends.filter((end, i) => i % bad.length === kind && !expected.includes(end));
      assert.deepEqual(unexpected, [], name);
    }
    assert.ok(evaluated >= CLIENTS, `${evaluated} ordinary results`);
    assert.deepEqual(await (await fetch(`${url}/tasks?queued=true`)).json(), {});
  });

  it('are rejected after they have terminated three threads', async (t) => {
    const heap = ['--thread-heap', '16MiB', '--max-result', '1GiB'];
    const { url } = await startServer(t, ['--memory', '--threads', '1', ...heap]);
    const headers = { 'Content-Type': 'text/turtle' };
    const long = Array.from(
      { length: 300 },
      (_, i) => `<${person(0)}> <urn:x:p> "${'a'.repeat(1_000)}${i}" .`,
    );
    const body = `${DATA}\n${long.join('\n')}`;
    await fetch(`${url}/context?graph=urn:x:people`, { method: 'PUT', headers, body });
    // The literals that it creates fit into its budget, but not into the heap of the thread.
    const program = `x = fn:replace(<urn:x:p>, "a", "${'b'.repeat(1_000)}") ;`;
    for (let i = 0; i < 3; i++) assert.equal(await endOf(url, program), '504 budget-exceeded');
    const refused = await evaluate(url, program);
    assert.equal(refused.status, 422);
    const { code, detail, retryAfter } = (await refused.json()) as Record<string, unknown>;
    assert.equal(code, 'quarantined');
    assert.match(String(detail), /terminated 3 threads/);
    assert.equal(refused.headers.get('retry-after'), String(retryAfter));
    assert.equal((await evaluate(url, 'x = foaf:name ;')).status, 200);
    const metrics = await metricsOf(url);
    assert.equal(metrics.get('pathpool_thread_kills_total{pool="worker",reason="heap"}'), 3);
    assert.equal(metrics.get('pathpool_quarantined{pool="worker"}'), 1);
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  });
});

function evaluate(url: string, program: string): Promise<Response> {
  return fetch(`${url}/ldpath/program?uri=${encodeURIComponent(person(0))}`, {
    method: 'POST',
    body: program,
  });
}

/** Status and code of the problem. */
async function endOf(url: string, program: string): Promise<string> {
  const response = await evaluate(url, program);
  const text = await response.text();
  return `${response.status} ${response.status === 200 ? text.slice(0, 100) : JSON.parse(text).code}`;
}
