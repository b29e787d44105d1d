import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { environmentName, type Setting, settings, shownDefault } from '../../src/config.ts';
import { projectFile } from '../support/project.ts';

const document = readFileSync(projectFile('docs/settings.md'), 'utf8');
const all = Object.values(settings) as Setting<unknown>[];

for (const setting of all) {
  test(`docs/settings.md has --${setting.flag} as it is`, () => {
    const { explanation } = setting;
    const row = `| ${shownFlag(setting)} | \`${environmentName(setting)}\` | ${shownDefault(setting)} | ${explanation} |`;
    assert.ok(document.includes(row), row);
  });
}

test('docs/settings.md has no other setting, and each one once', () => {
  const rows = [...document.matchAll(/^\| `--([a-z-]+)/gm)].map(([, flag]) => flag!);
  const withFlag = all.filter((setting) => !setting.environmentOnly);
  assert.deepEqual(rows.sort(), withFlag.map(({ flag }) => flag).sort());
});

test('docs/settings.md names the settings that may be given several times', () => {
  const sentence = /- A setting with the default `none`[\s\S]*?several times/.exec(document)?.[0] ?? '';
  const named = [...sentence.matchAll(/`--([a-z-]+)`/g)].map(([, flag]) => flag!);
  const repeatable = all.filter((setting) => setting.repeatable).map(({ flag }) => flag);
  assert.deepEqual(named.sort(), repeatable.sort());
});

/** What is given in the environment only has an empty cell. */
function shownFlag({ flag, argument, environmentOnly }: Setting<unknown>): string {
  if (environmentOnly) return '';
  return argument ? `\`--${flag} ${argument}\`` : `\`--${flag}\``;
}
