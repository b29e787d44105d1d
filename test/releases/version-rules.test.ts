import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { projectFile, projectRoot, scriptArguments } from '../support/project.ts';
import { formats } from './formats.ts';
import { type ReleaseFacts, releaseProblems, stepBetween } from './version-rules.ts';

const facts: ReleaseFacts = {
  before: '0.1.0',
  version: '0.1.1',
  changelog:
    '# Changelog\n\n## Unreleased\n\n## 0.1.1 (2027-01-01)\n\n### Changed\n\n- A thing.\n\n## 0.1.0\n\n- x\n',
  fixtures: ['0.1.0', '0.1.1'],
  formatsBefore: { journal: 4 },
  formats: { journal: 4 },
};

/** The problems of a release that differs from a sound one. */
function problemsWith(changes: Partial<ReleaseFacts>): string {
  return releaseProblems({ ...facts, ...changes }).join('\n');
}

test('a release with changelog, fixtures and the formats of before may be made', () => {
  assert.equal(problemsWith({}), '');
});

test('a version is the next major, minor or patch version', () => {
  assert.equal(stepBetween('0.1.0', '0.1.1'), 'patch');
  assert.equal(stepBetween('0.1.9', '0.2.0'), 'minor');
  assert.equal(stepBetween('0.9.9', '1.0.0'), 'major');
  for (const wrong of ['0.1.0', '0.1.2', '0.2.1', '0.0.9', '2.0.0', '0.2.0-rc.1', 'x']) {
    assert.match(problemsWith({ version: wrong }), /is not the next major, minor or patch version/);
  }
});

test('a release needs a section of the changelog with all entries', () => {
  const { changelog } = facts;
  assert.match(problemsWith({ changelog: changelog.replace('0.1.1', '0.1.2') }), /no section "## 0\.1\.1"/);
  assert.match(problemsWith({ changelog: changelog.replace('- A thing.', '') }), /has no entries/);
  const unreleased = changelog.replace('Unreleased\n', 'Unreleased (since 2026)\n\n- Another.\n');
  assert.match(problemsWith({ changelog: unreleased }), /still has entries under "Unreleased"/);
});

test('a release that removes something is not a patch version', () => {
  const changelog = facts.changelog.replace('### Changed', '### Removed');
  assert.match(problemsWith({ changelog }), /removes something/);
  const minor = changelog.replace('0.1.1', '0.2.0');
  assert.equal(problemsWith({ changelog: minor, version: '0.2.0', fixtures: ['0.1.0', '0.2.0'] }), '');
});

test('a release needs the fixtures of the one before, and of its own', () => {
  assert.match(problemsWith({ fixtures: ['0.1.1'] }), /releases\/0\.1\.0 is missing/);
  assert.match(
    problemsWith({ fixtures: ['0.1.0'] }),
    /releases\/0\.1\.1 is missing.*make-fixture\.ts 0\.1\.1/,
  );
});

test('a format rises with a minor version at least, and never decreases', () => {
  assert.match(problemsWith({ formats: { journal: 5 } }), /"journal" rises from 4 to 5.*not be a patch/);
  assert.match(problemsWith({ formats: { journal: 4, other: 1 } }), /"other" rises from 0 to 1/);
  assert.match(problemsWith({ formats: { journal: 3 } }), /"journal" was 4 in 0\.1\.0 and is 3 now/);
  const changelog = facts.changelog.replace('0.1.1', '0.2.0');
  const minor = { changelog, version: '0.2.0', fixtures: ['0.1.0', '0.2.0'] };
  assert.equal(problemsWith({ ...minor, formats: { journal: 5 } }), '');
});

test('npm version runs the check before it changes anything, and its problems end it', async () => {
  const { scripts, version } = JSON.parse(await readFile(projectFile('package.json'), 'utf8'));
  assert.equal(scripts.preversion, 'node --import tsx test/releases/check-version.ts');
  const environment = { ...process.env, npm_old_version: version, npm_new_version: '99.0.0' };
  const run = promisify(execFile)(process.execPath, scriptArguments('test/releases/check-version'), {
    cwd: projectRoot,
    env: environment,
  });
  await assert.rejects(run, { code: 1, stderr: /99\.0\.0 is not the next .* version after 0\.1\.0/ });
});

test('no format of today is older than in a release', async () => {
  const { version } = JSON.parse(await readFile(projectFile('package.json'), 'utf8')) as { version: string };
  const file = join(projectFile('test/fixtures/releases'), version, 'formats.json');
  const released = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
  for (const [name, format] of Object.entries(released)) assert.ok(formats[name]! >= format, name);
});
