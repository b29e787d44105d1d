import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../support/project.ts';

const source = projectFile('src/ldpath/');
/** The current time, and chance. */
const volatile =
  /\bnew Date\(\s*\)|\bDate\.now\b|\bDate\(\s*\)|\bperformance\.now\b|\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bcrypto\b|node:perf_hooks/;

test('P-9: the language does not depend on time or chance, except for its time limit', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.flatMap((file) =>
    readFileSync(join(source, file), 'utf8')
      .split('\n')
      .filter((line) => volatile.test(line) && !/^\s*(?:\*|\/[/*])/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  // The clock of the time limit, which the budget alone reads.
  assert.deepEqual(found, [
    'evaluate/evaluation.ts: constructor(budget: Partial<Budget> = {}, clock: Clock = () => performance.now()) {',
  ]);
});
