import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { freePort } from '../../../bench/measure/free-port.ts';
import { type Commit, PathpoolClient, type ReachedPosition } from '../../../src/library/client/entry.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { startServer } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const SMALL = ['--threads', '2', '--sparql-threads', '0'];
const NAMES = 'name = <urn:name> :: xsd:string ;';

function commitsIn(lines: readonly (Commit | ReachedPosition)[]): Commit[] {
  return lines.filter((line) => line.commit !== undefined);
}

async function all<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const line of lines) items.push(line);
  return items;
}

describe('the changes that pathpool/client reads', () => {
  const scope = suiteScope();
  let url: string;
  before(async () => {
    ({ url } = await startServer(scope, ['--memory', ...SMALL], {}, null));
  });
  const connect = () => new PathpoolClient(url);

  it('are the commits after a position, with their graphs and triples', async () => {
    const { changes, graphs } = connect();
    const since = await changes.position();
    await graphs.put('urn:x:c', '<urn:s> <urn:p> 1 .');
    await graphs.put('urn:x:d', '<urn:s> <urn:p> <urn:o> .');
    const commits = await all(changes.commits({ since, rows: true }));
    assert.deepEqual(
      commitsIn(commits).map((commit) => commit.graphs),
      [[{ graph: 'urn:x:c', added: 1, removed: 0 }], [{ graph: 'urn:x:d', added: 1, removed: 0 }]],
    );
    assert.equal(commitsIn(commits)[1]?.patch, 'A <urn:s> <urn:p> <urn:o> <urn:x:d> .\n');
    const position = await changes.position();
    assert.equal(commits.at(-1)?.position, position);
    const first = await all(changes.commits({ since, graph: 'urn:x:c' }));
    assert.deepEqual([first.length, first[1]], [2, { position }]);
    const limited = await all(changes.commits({ since, limit: 1 }));
    assert.deepEqual(
      limited.map(({ commit }) => commit),
      [first[0]?.commit],
    );
  });

  it('are waited for', async () => {
    const { changes, graphs } = connect();
    const since = await changes.position();
    const waiting = all(changes.commits({ since, wait: 60 }));
    await graphs.put('urn:x:w', '<urn:s> <urn:p> 1 .');
    assert.equal(commitsIn(await waiting).length, 1);
  });

  it('are a ResyncError where they are not known any more', async () => {
    const { changes, programs } = connect();
    const gone = { name: 'ResyncError' };
    const since = 'abcdefgh.1';
    await assert.rejects(changes.commits({ since }).next(), gone);
    await assert.rejects(changes.followCommits({ since }).next(), gone);
    await programs.put('gone', { program: NAMES });
    await assert.rejects(programs.changes('gone', { since }).next(), (error: Error) => {
      assert.equal(error.name, 'ResyncError');
      assert.equal((error.cause as { status: number }).status, 410);
      return true;
    });
  });

  it('come as they happen, until the signal', async () => {
    const { changes, graphs } = connect();
    const controller = new AbortController();
    const live = changes.followCommits({ graph: 'urn:x:live', signal: controller.signal });
    const { value: begin } = await live.next();
    assert.deepEqual(begin, { position: await changes.position() });
    await graphs.put('urn:x:other', '<urn:s> <urn:p> 1 .');
    await graphs.put('urn:x:live', '<urn:s> <urn:p> 1 .');
    const { value: commit } = await live.next();
    assert.deepEqual((commit as Commit).graphs, [{ graph: 'urn:x:live', added: 1, removed: 0 }]);
    const reason = new Error('enough');
    const next = assert.rejects(live.next(), reason);
    controller.abort(reason);
    await next;
  });

  it('are those of a graph, or of a resource, with its end', async () => {
    const { changes, graphs } = connect();
    await graphs.put('urn:x:watched', '<urn:x:s> <urn:p> 1 .');
    const live = [changes.followGraph('urn:x:watched'), changes.followResource('urn:x:s')];
    await Promise.all(live.map((each) => each.next()));
    await graphs.delete('urn:x:watched');
    for (const each of live) {
      const { value } = await each.next();
      const { position, time, ...rest } = value ?? assert.fail();
      assert.equal(typeof time, 'string');
      assert.deepEqual([rest, position], [{ added: 0, removed: 1, deleted: true }, await changes.position()]);
      await each.return();
    }
    await assert.rejects(changes.followGraph('urn:x:watched').next(), { code: 'graph-not-found' });
  });

  it('are results of a stored program, in a format', async () => {
    const { graphs, programs } = connect();
    const starts = { type: 'urn:T' };
    const { position: since, incremental } = await programs.put('p', { program: NAMES, starts });
    assert.equal(incremental, true);
    await graphs.put('urn:x:p', '<urn:a> a <urn:T> ; <urn:name> "A" .');
    const [named, now] = await all(programs.changes('p', { since, format: 'values' }));
    assert.deepEqual(named, { position: since, uri: 'urn:a', result: { name: ['A'] } });
    await graphs.delete('urn:x:p');
    const [removed] = await all(programs.changes('p', { since: now!.position }));
    assert.deepEqual(removed, { position: now!.position, uri: 'urn:a', deleted: true });
  });

  it('are results as they change, until the program does', async () => {
    const { graphs, programs } = connect();
    const starts = { type: 'urn:L' };
    await programs.put('live', { program: NAMES, starts });
    const live = programs.followChanges('live');
    const { value: begin } = await live.next();
    await graphs.put('urn:x:l', '<urn:l> a <urn:L> ; <urn:name> "A" .');
    const [named, now] = [(await live.next()).value!, (await live.next()).value!];
    assert.deepEqual([named.position, named.uri], [begin!.position, 'urn:l']);
    assert.deepEqual(Object.keys(now), ['position']);
    await programs.put('live', { program: `${NAMES} other = <urn:other> ;`, starts });
    await assert.rejects(live.next(), { name: 'ResyncError' });
  });
});

it('a follower of commits goes on after the server was killed and has started again', async (context) => {
  const args = ['--data', await temporaryDirectory(context), '--port', String(await freePort()), ...SMALL];
  const start = (scope: Scope) => startServer(scope, args, {}, null);
  const server = await start(context);
  const { changes, graphs } = new PathpoolClient(server.url);
  let lost = 0;
  const live = changes.followCommits({ onLost: () => lost++ });
  await live.next();
  await graphs.put('urn:x:a', '<urn:s> <urn:p> 1 .');
  const { value: first } = await live.next();
  await server.kill();
  const second = live.next();
  await start(context);
  await graphs.put('urn:x:b', '<urn:s> <urn:p> 1 .');
  const commits: Commit[] = [];
  for (let { value } = await second; commits.length === 0; { value } = await live.next()) {
    if (value?.commit !== undefined) commits.push(value);
  }
  assert.deepEqual(
    [first, ...commits].map((line) => (line as Commit).graphs?.[0]?.graph),
    ['urn:x:a', 'urn:x:b'],
  );
  assert.ok(lost > 0);
  await live.return();
});
