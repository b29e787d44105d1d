import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProbe } from '../../../src/http/middleware/probes.ts';

it('G-122: the paths of monitors are open, and no others', () => {
  for (const path of ['/health/live', '/health/ready', '/ping']) assert.ok(isProbe(path), path);
  for (const path of ['/health', '/healthy', '/context/health/', '/ping/x', '/', '/metrics']) {
    assert.ok(!isProbe(path), path);
  }
});
