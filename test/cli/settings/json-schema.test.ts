import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfigFile } from '../../../src/cli/settings/config-file.ts';
import { configSchema, valueSchema } from '../../../src/cli/settings/json-schema.ts';
import { type Setting, SettingError, settings, type ValueSchema } from '../../../src/config.ts';
import { projectFile } from '../../support/project.ts';
import { suiteScope } from '../../support/scope.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const published = projectFile('docs/config.schema.json');
const directory = await temporaryDirectory(suiteScope());

const samples: readonly unknown[] = [
  ...[
    true,
    false,
    null,
    '',
    'x',
    '81',
    'http://a.example',
    'nats://a/b',
    'ex=urn:x',
    'urn:c=c.json',
    '10.0.0.0/8',
  ],
  ...[
    0,
    1,
    -1,
    0.5,
    256,
    257,
    65_536,
    86_401,
    1e9,
    1e12,
    2 ** 50,
    '64MiB',
    '1.5 gib',
    '3b',
    '3parsecs',
    'MiB',
  ],
  ...[[], {}, ['x']],
];

function isValid(schema: ValueSchema, value: unknown): boolean {
  const types = [schema.type].flat().filter((type) => {
    return type === 'integer' ? Number.isInteger(value) : typeof value === type;
  });
  if (types.length === 0) return false;
  if (typeof value === 'string') {
    const { enum: choices, minLength = 0, pattern = '' } = schema;
    return (choices?.includes(value) ?? true) && value.length >= minLength && new RegExp(pattern).test(value);
  }
  if (typeof value !== 'number') return true;
  const { minimum = value, maximum = value, exclusiveMinimum = value - 1 } = schema;
  return value >= minimum && value <= maximum && value > exclusiveMinimum;
}

function isAccepted(setting: Setting<unknown>, value: unknown): boolean {
  const file = join(directory, 'a.json');
  writeFileSync(file, JSON.stringify({ [setting.flag]: setting.repeatable ? [value] : value }));
  try {
    readConfigFile(file);
    return true;
  } catch (error) {
    assert.ok(error instanceof SettingError, String(error));
    return false;
  }
}

describe('the JSON Schema of config files', () => {
  it('is published as it is generated; pathpool config --schema > docs/config.schema.json writes it', () => {
    assert.deepEqual(JSON.parse(readFileSync(published, 'utf8')), configSchema());
  });

  const inFile = Object.values<Setting<unknown>>(settings).filter((setting) => !setting.environmentOnly);
  for (const setting of inFile) {
    it(`allows every value of ${setting.flag} that is accepted`, () => {
      const schema = valueSchema(setting);
      const all = [...samples, ...(schema.enum ?? [])];
      const accepted = all.filter((value) => isAccepted(setting, value));
      assert.ok(accepted.length > 0, 'No sample is accepted: add one.');
      assert.deepEqual(
        accepted.filter((value) => !isValid(schema, value)),
        [],
      );
    });
  }

  it('has the ranges and choices of the settings', () => {
    const { properties } = configSchema() as { properties: Record<string, { description?: string }> };
    const schemaOf = (name: string) => {
      const { description: _, ...rest } = properties[name]!;
      return rest;
    };
    assert.deepEqual(schemaOf('port'), { type: 'integer', minimum: 0, maximum: 65_535 });
    assert.deepEqual(schemaOf('put-mode'), { type: 'string', enum: ['redirect', 'direct'] });
    assert.deepEqual(schemaOf('load'), { type: 'array', items: { type: 'string', minLength: 1 } });
    assert.deepEqual(schemaOf('open'), { type: 'boolean' });
  });
});
