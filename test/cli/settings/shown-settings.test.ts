import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShownSettings } from '../../../src/cli/settings/shown-settings.ts';
import { fillConfig } from '../../../src/config.ts';

type Shown = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;

function shown(settings: ShownSettings, name: string): readonly [unknown, string] {
  const { value, source } = (JSON.parse(settings.toJson()) as Shown)[name]!;
  return [value, source];
}

test('T-50: settings of a program that creates the server are shown as such', () => {
  const settings = new ShownSettings(fillConfig({ maxPatch: 5, allowHost: ['data.lan'] }));
  assert.deepEqual(shown(settings, 'max-patch'), [5, 'program']);
  assert.deepEqual(shown(settings, 'allow-host'), [['data.lan'], 'program']);
  assert.deepEqual(shown(settings, 'max-query'), [1024 * 1024, 'default']);
});

test('settings that were taken over replace those from before', () => {
  const settings = new ShownSettings(fillConfig({ logLevel: 'info', maxPatch: 5 }));
  settings.takeOver(['logLevel'], fillConfig({ maxPatch: 6 }));
  assert.deepEqual(shown(settings, 'log-level'), ['warn', 'default']);
  assert.deepEqual(shown(settings, 'max-patch'), [5, 'program']);
});
