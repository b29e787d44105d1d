import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const source = new URL('../../src/ldpath/', import.meta.url);
/** The current time, and chance. */
const volatile =
  /\bnew Date\(\s*\)|\bDate\.now\b|\bDate\(\s*\)|\bperformance\.now\b|\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bcrypto\b|node:perf_hooks/;

test('P-9: the language does not depend on time or chance, except for its time limit', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.filter((file) => volatile.test(readFileSync(new URL(file, source), 'utf8')));
  assert.deepEqual(found.sort(), ['evaluate/context.ts', 'evaluate/evaluation.ts']);
});
