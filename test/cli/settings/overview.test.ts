import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readCommandLine } from '../../../src/cli/command-line.ts';
import { settings } from '../../../src/config.ts';
import { suiteScope } from '../../support/scope.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const directory = await temporaryDirectory(suiteScope());
const file = join(directory, 'pathpool.yaml');
writeFileSync(
  file,
  `port: 81
threads: 3
log-level: info
max-patch: 3MiB
load: [a.nq, b.ttl=urn:g]
credential: [read anna s3cret]
`,
);

const environment = { PATHPOOL_THREADS: '4', PATHPOOL_LOG_LEVEL: 'error', PATHPOOL_CREDENTIAL: 'x s3cret' };
const args = ['config', '--config', file, '--log-level', 'debug', '--prefix', 'ex=urn:x'];

function printed(given: readonly string[], variables: Record<string, string> = {}): string {
  const request = readCommandLine(given, variables);
  assert.ok(request.kind === 'exit' && request.status === 0, JSON.stringify(request));
  return request.text;
}

/** The values and sources of each setting in the table. */
function rowsIn(text: string, name: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.split(' ')[0] === name)
    .map((line) => line.slice(name.length).trim().replaceAll(/ {2,}/g, ' | '));
}

describe('pathpool config', () => {
  it('prints every setting with its value and where it comes from', () => {
    const text = printed(args, environment);
    assert.deepEqual(rowsIn(text, 'port'), [`81 | ${file}:1:1`]);
    assert.deepEqual(rowsIn(text, 'threads'), ['4 | PATHPOOL_THREADS']);
    assert.deepEqual(rowsIn(text, 'log-level'), ['debug | --log-level']);
    assert.deepEqual(rowsIn(text, 'max-patch'), [`3MiB | ${file}:4:1`]);
    assert.deepEqual(rowsIn(text, 'host'), ['127.0.0.1 | default']);
    assert.deepEqual(rowsIn(text, 'tls-key'), ['none | default']);
    assert.deepEqual(rowsIn(text, 'prefix'), ['ex=urn:x | --prefix']);
    const names = new Set(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    );
    assert.deepEqual(
      [...names].sort(),
      Object.values(settings)
        .map(({ flag }) => flag)
        .sort(),
    );
  });

  it('prints each item of a list, with paths as they are used', () => {
    assert.deepEqual(rowsIn(printed(args), 'load'), [
      `${join(directory, 'a.nq')} | ${file}:5:1`,
      `${join(directory, 'b.ttl')}=urn:g | ${file}:5:1`,
    ]);
  });

  it('prints them as JSON', () => {
    const found = JSON.parse(printed([...args, '--json'], environment));
    assert.deepEqual(found.port, { value: 81, source: 'file', at: `${file}:1:1` });
    assert.deepEqual(found.threads, { value: 4, source: 'environment', at: 'PATHPOOL_THREADS' });
    assert.deepEqual(found['max-patch'].value, 3 * 1024 * 1024);
    assert.deepEqual(found.prefix, { value: ['ex=urn:x'], source: 'flag', at: '--prefix' });
    assert.deepEqual(found['tls-key'], { value: null, source: 'default' });
    assert.equal(Object.keys(found).length, Object.keys(settings).length);
  });

  it('never prints a secret', () => {
    for (const variables of [environment, {}]) {
      for (const flags of [[], ['--json'], ['--credential', 'write b s3cret']]) {
        assert.doesNotMatch(printed([...args, ...flags], variables), /s3cret/);
      }
    }
    assert.deepEqual(rowsIn(printed(args), 'credential'), [`(hidden) | ${file}:6:1`]);
    assert.deepEqual(JSON.parse(printed([...args, '--json'])).credential.value, ['(hidden)']);
  });

  it('accepts the flags before its name, as they stand for a server', () => {
    const text = printed(['--config', file, '--port', '82', 'config']);
    assert.deepEqual(rowsIn(text, 'port'), ['82 | --port']);
    assert.deepEqual(rowsIn(text, 'threads'), [`3 | ${file}:2:1`]);
  });

  it('takes the name of the file from the environment, unless there is the flag', () => {
    assert.deepEqual(rowsIn(printed(['config'], { PATHPOOL_CONFIG: file }), 'port'), [`81 | ${file}:1:1`]);
    const variables = { PATHPOOL_CONFIG: '/nowhere.json' };
    assert.deepEqual(rowsIn(printed(args, variables), 'port'), [`81 | ${file}:1:1`]);
  });
});
