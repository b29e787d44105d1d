import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VisitRecord } from '../../../src/journal/commit-log.ts';
import { loadData } from '../../../src/store/recovery/load-data.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';

test('a single server ignores that processes which shared the log have dropped unused terms', async () => {
  const records = [
    'H time "1" .\nTX .\nA <urn:s> <urn:p> "1" <urn:g> .\nTC .\n',
    'H time "2" .\nTX .\nD <urn:s> <urn:p> "1" <urn:g> .\nA <urn:s> <urn:p> "2" <urn:g> .\nTC .\n',
    'H time "3" .\nH renumbered "terms" .\nTX .\nTC .\n',
    'H time "4" .\nTX .\nA <urn:s> <urn:p> "1" <urn:g> .\nTC .\n',
  ];
  const replay = async (_from: number, visit: VisitRecord) => {
    for (const [index, record] of records.entries()) await visit(index + 1, Buffer.from(record));
  };
  const { writer } = await loadData(new SimDisk({ seed: 1 }), undefined, { replay }, { notice: assert.fail });
  const { terms } = writer.reader();
  assert.equal(writer.quadCount, 2);
  assert.ok(terms.find('"1"') < terms.find('"2"'));
});
