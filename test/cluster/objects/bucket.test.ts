import { describe } from 'node:test';
import { objectBucketContract } from '../../contracts/object-bucket.contract.ts';
import { FakeObjectBucket } from '../../support/fake-object-bucket.ts';

describe('the objects in memory that other tests use', () => {
  objectBucketContract(async () => {
    const bucket = new FakeObjectBucket();
    return { bucket, other: bucket };
  });
});
