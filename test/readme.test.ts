import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { environmentName, type Setting, settings, shownDefault } from '../src/config.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

for (const setting of Object.values(settings) as Setting<unknown>[]) {
  test(`the README's table has --${setting.flag} as it is`, () => {
    const flag = setting.argument ? `--${setting.flag} ${setting.argument}` : `--${setting.flag}`;
    const { explanation } = setting;
    const row = `| \`${flag}\` | \`${environmentName(setting)}\` | ${shownDefault(setting)} | ${explanation} |`;
    assert.ok(readme.includes(row), row);
  });
}

test("the README's scripts exist", () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const named = [...readme.matchAll(/npm (?:run )?(demo|test|start|dev|bench)\b/g)].map(([, name]) => name);
  for (const name of named) assert.ok(name && name in scripts, name);
});
