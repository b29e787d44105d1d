import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProbe } from '../../../src/http/middleware/probes.ts';

it('G-122: the paths of monitors are open, and no others', () => {
  for (const path of ['/health/live', '/health/ready', '/health/ready/', '/ping', '/ping/']) {
    assert.ok(isProbe(path), path);
  }
  const others = ['/health', '/health/', '/health//', '/health/x', '/healthy', '/context/health/'];
  for (const path of [...others, '/ping/x', '/ping//', '/', '/metrics']) assert.ok(!isProbe(path), path);
});
