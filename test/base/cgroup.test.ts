import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { throttledMs } from '../../src/base/cgroup.ts';

test('what holds up a process is the quota of its own control group and of those around it', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'pathpool-cgroup-'));
  t.after(() => rmSync(root, { recursive: true }));
  const membership = join(root, 'membership');
  assert.equal(throttledMs(membership, root), 0);
  writeFileSync(membership, '1:cpu:/old\n0::/pod/server\n');
  assert.equal(throttledMs(membership, root), 0);
  mkdirSync(join(root, 'pod/server'), { recursive: true });
  writeFileSync(join(root, 'pod/cpu.stat'), 'usage_usec 7\nnr_throttled 2\nthrottled_usec 1500\n');
  writeFileSync(join(root, 'pod/server/cpu.stat'), 'usage_usec 7\nthrottled_usec 500\nnr_bursts 0\n');
  assert.equal(throttledMs(membership, root), 2);
});
