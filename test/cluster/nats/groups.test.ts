import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupReader, removeUploads, upload } from '../../../src/cluster/nats/groups.ts';
import { groupBytes, partsOf } from '../../../src/cluster/nats/parts.ts';
import { AppError } from '../../../src/errors.ts';
import { FakeObjectBucket } from '../../support/fake-object-bucket.ts';

const head = { first: 7, last: 7, id: 'id', state: '' };

/** A group that is an object, and its only part. */
async function stored() {
  const objects = new FakeObjectBucket();
  const pieces = groupBytes([{ sequence: 7, payload: [Buffer.from('te'), Buffer.from('xt')] }]);
  const object = await upload(objects, head, pieces);
  const [part] = partsOf({ ...head, object }, [], '');
  return { objects, object, part: part!, reader: new GroupReader(objects) };
}

describe('a group that is an object', () => {
  it('is read from its pieces', async () => {
    const { reader, part } = await stored();
    const group = await reader.add(part);
    assert.deepEqual(
      group?.payloads.map((payload) => Buffer.from(payload).toString()),
      ['text'],
    );
  });

  it("that can't be read now is unavailable, and can be read again", async () => {
    const { objects, reader, part } = await stored();
    objects.piecesLeft = 1;
    await assert.rejects(reader.add(part), { name: 'JournalError', code: 'unavailable' });
    objects.isAway = false;
    objects.piecesLeft = 10;
    assert.equal((await reader.add(part))?.payloads.length, 1);
  });

  it('is read again if the bytes of one server are wrong', async (context) => {
    const { objects, reader, part } = await stored();
    const read = context.mock.method(objects, 'read');
    read.mock.mockImplementationOnce(async function* () {
      yield Buffer.from('other');
      throw new AppError('data-damaged', 'a piece is missing');
    });
    assert.equal((await reader.add(part))?.payloads.length, 1);
    assert.equal(read.mock.callCount(), 2);
  });

  it('that was changed or removed is damaged', async () => {
    const { objects, object, reader, part } = await stored();
    objects.damage(object.name);
    const damage = { name: 'JournalError', code: 'data-damaged' };
    await assert.rejects(reader.add(part), { ...damage, message: /log\/7\/id was changed/ });
    await objects.remove((await objects.find(object.name))!);
    await assert.rejects(reader.add(part), { ...damage, message: /log\/7\/id is missing/ });
  });

  it("can't be stored while the servers are away", async () => {
    const { objects } = await stored();
    objects.isAway = true;
    await assert.rejects(upload(objects, head, []), { name: 'JournalError', code: 'unavailable' });
  });

  it('is removed when checkpoints cover it', async () => {
    const { objects } = await stored();
    await upload(objects, { ...head, last: 10 }, []);
    await removeUploads(objects, 6);
    assert.equal(objects.names().length, 2);
    await removeUploads(objects, 9);
    assert.deepEqual(objects.names(), ['log/10/id']);
  });
});
