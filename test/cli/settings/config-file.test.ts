import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfigFile } from '../../../src/cli/settings/config-file.ts';
import { SettingError, type SettingName, settings } from '../../../src/config.ts';
import { suiteScope } from '../../support/scope.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const directory = await temporaryDirectory(suiteScope());

function fileWith(name: string, content: string | Uint8Array): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

function valuesIn(name: string, content: string): Partial<Record<SettingName, unknown>> {
  const layer = readConfigFile(fileWith(name, content));
  return Object.fromEntries([...layer].map(([setting, { value }]) => [setting, value]));
}

/** The message without the name of the file. */
function refusalOf(name: string, content: string | Uint8Array): string {
  const file = fileWith(name, content);
  try {
    readConfigFile(file);
  } catch (error) {
    assert.ok(error instanceof SettingError, String(error));
    assert.ok(error.message.includes(file), error.message);
    assert.equal(error.message.split('\n').length, 1);
    return error.message.replaceAll(file, name);
  }
  return assert.fail('It was accepted.');
}

describe('a config file', () => {
  it('is JSON or YAML, with the flags as keys', () => {
    const expected = { port: 81, maxPatch: 2 * 1024 * 1024, open: true, bodyTime: 0.5, logLevel: 'info' };
    const yaml =
      '# A server\nport: 81\nmax-patch: 2MiB # or 2097152\nopen: true\nbody-time: 0.5\nlog-level: info\n';
    const json =
      '{\n\t"port": 81, "max-patch": 2097152, "open": true, "body-time": 0.5, "log-level": "info"\n}';
    assert.deepEqual(valuesIn('a.yaml', yaml), expected);
    assert.deepEqual(valuesIn('a.yml', yaml), expected);
    assert.deepEqual(valuesIn('a.json', json), expected);
  });

  it('may be empty, and may name its schema', () => {
    assert.deepEqual(valuesIn('a.yaml', '# nothing\n'), {});
    assert.deepEqual(valuesIn('a.json', '{ "$schema": "config.schema.json" }'), {});
  });

  it('has lists where a flag may be given several times; a comma is part of a value', () => {
    assert.deepEqual(valuesIn('a.yaml', 'prefix: [ex=urn:a, "b=urn:c,d"]\nallow-host:\n  - data.lan\n'), {
      prefix: [
        ['ex', 'urn:a'],
        ['b', 'urn:c,d'],
      ],
      allowHost: ['data.lan'],
    });
  });

  it('has paths that begin at its directory', () => {
    const yaml =
      'data: d\ntls-key: ../key.pem\ncredentials: /etc/c\nload: [a.nq, b.ttl=urn:g]\ncontext: [urn:c=c.json]\n';
    assert.deepEqual(valuesIn('a.yaml', yaml), {
      data: join(directory, 'd'),
      tlsKey: join(directory, '../key.pem'),
      credentials: '/etc/c',
      load: [
        { file: join(directory, 'a.nq'), graph: undefined },
        { file: join(directory, 'b.ttl'), graph: 'urn:g' },
      ],
      context: [{ iri: 'urn:c', file: join(directory, 'c.json') }],
    });
  });

  it('records the place of each setting', () => {
    const file = fileWith('a.json', '{ "port": 81,\n  "open": true }');
    const places = [...readConfigFile(file).values()].map(({ source }) => source);
    assert.deepEqual(places, [
      { kind: 'file', at: `${file}:1:3` },
      { kind: 'file', at: `${file}:2:3` },
    ]);
  });
});

describe('a config file is refused', () => {
  for (const [content, message] of [
    ['port: 81\nprot: 1', 'a.yaml:2:1: unknown setting "prot"; did you mean "port"?'],
    ['maxPatch: 1', 'a.yaml:1:1: unknown setting "maxPatch"; did you mean "max-patch"?'],
    ['? [a]\n: 1', 'a.yaml:1:3: unknown setting ["a"]'],
    ['port: "81"', 'a.yaml:1:7: port: "81" is invalid: expected a whole number.'],
    ['port: 99999', 'a.yaml:1:7: port: 99999 is invalid: expected a whole number from 0 to 65535.'],
    ['port:', 'a.yaml:1:6: port: null is invalid: expected a whole number.'],
    ['open: yes', 'a.yaml:1:7: open: "yes" is invalid: expected true or false.'],
    ['max-patch: [1]', 'a.yaml:1:12: max-patch: [1] is invalid: expected a whole number or a text.'],
    ['load: a.nq', 'a.yaml:1:7: load: "a.nq" is invalid: expected a list.'],
    ['load:\n- a.nq\n- 3', 'a.yaml:3:3: load[1]: 3 is invalid: expected a text.'],
    ['credential: ["", s3]', 'a.yaml:1:14: credential[0]: the value is invalid: it must not be empty.'],
    ['port: 1\nport: 2', 'a.yaml:2:1: Map keys must be unique'],
    ['- port', 'a.yaml:1:1: expected the names of settings with their values'],
    ['port: *x', 'a.yaml:1:7: Unresolved alias (the anchor must be set before the alias): x'],
    ['*x : 1', 'a.yaml:1:1: Unresolved alias (the anchor must be set before the alias): x'],
    ['load: [*x]', 'a.yaml:1:8: Unresolved alias (the anchor must be set before the alias): x'],
    ['- *x', 'a.yaml:1:1: expected the names of settings with their values'],
    [
      'load: &x [*x]',
      'a.yaml:1:11: load[0]: a list or map that contains itself is invalid: expected a text.',
    ],
    ['port: !!js/function "x"', 'a.yaml:1:7: Unresolved tag: tag:yaml.org,2002:js/function'],
  ] as const) {
    it(`with ${JSON.stringify(content)}`, () => assert.equal(refusalOf('a.yaml', content), message));
  }

  it('if one of several errors is far into a list, with that place', () => {
    assert.match(refusalOf('a.json', '{"prefix": ["a=urn:a",\n "b"]}'), /^a\.json:2:2: prefix\[1\]: "b" is/);
  });

  it('if it is called JSON and is not', () => {
    assert.equal(refusalOf('a.json', '{"port": 81,}'), 'a.json:1:13: this is not JSON');
    assert.equal(refusalOf('a.json', 'port: 81'), 'a.json:1:1: this is not JSON');
    assert.match(refusalOf('a.json', '{"port": 81, "port": 82}'), /^a\.json:1:14: .*unique/);
  });

  it('if its name has another extension, or it is not there', () => {
    assert.match(refusalOf('a.toml', ''), /a\.toml should end in \.json, \.yaml or \.yml/);
    assert.throws(() => readConfigFile(join(directory, 'none.json')), /none\.json can't be read: ENOENT/);
    assert.throws(() => readConfigFile(directory.concat('/.json')), SettingError);
  });

  it('if it is large, deeply nested, or not text', () => {
    assert.match(refusalOf('a.yaml', ' '.repeat(256 * 1024 + 1)), /larger than 256 KiB/);
    for (const opening of ['[', '- ', '{a: ', '? ', 'load: ["]", {b: ']) {
      assert.match(refusalOf('a.yaml', opening.repeat(10_000)), /not nested so deeply/);
    }
    assert.match(refusalOf('a.json', '['.repeat(20) + ']'.repeat(20)), /not nested so deeply/);
    assert.match(refusalOf('a.yaml', Buffer.from([0x61, 0xff])), /not UTF-8/);
  });

  it('without repeating all of a long value', () => {
    assert.ok(refusalOf('a.yaml', `host: [${'x'.repeat(1000)}]`).length < 200);
  });

  it('without expanding aliases of aliases', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `- &a${i} [*a${i - 1}, *a${i - 1}]`).slice(1);
    assert.match(refusalOf('a.yaml', `load:\n- &a0 x\n${lines.join('\n')}`), /load|alias/i);
  });
});

it('every setting can be given in a config file', () => {
  const names = Object.values(settings).map(({ flag }) => flag);
  for (const name of names) assert.doesNotMatch(refusalOf('a.yaml', `${name}: {}`), /unknown/);
});
