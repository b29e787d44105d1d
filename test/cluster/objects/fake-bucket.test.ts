import { describe } from 'node:test';
import { objectBucketContract } from '../../contracts/object-bucket.contract.ts';
import { FakeBucket } from '../../support/fake-bucket.ts';

describe('the objects in memory that other tests use', () => {
  objectBucketContract(async () => {
    const bucket = new FakeBucket();
    return { bucket, other: bucket };
  });
});
