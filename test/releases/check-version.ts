/**
 * Ends with 1, and says why, if the version that `npm version` is about to set must not be released
 * as things are. npm runs it before it changes anything (`preversion` in package.json).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../support/project.ts';
import { formats } from './formats.ts';
import { releaseProblems } from './version-rules.ts';

const { npm_old_version: before = '', npm_new_version: version = '' } = process.env;
const place = projectFile('test/fixtures/releases');
const fixtures = readdirSync(place, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const formatsBefore = fixtures.includes(before)
  ? (JSON.parse(readFileSync(join(place, before, 'formats.json'), 'utf8')) as Record<string, number>)
  : {};
const changelog = readFileSync(projectFile('CHANGELOG.md'), 'utf8');
const problems = releaseProblems({ before, version, changelog, fixtures, formatsBefore, formats });
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
