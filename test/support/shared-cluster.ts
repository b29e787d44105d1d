import { before } from 'node:test';
import { type ClusterSize, startCluster, type TestCluster } from './cluster.ts';
import { suiteScope } from './scope.ts';

/** A cluster that all cases of a `describe` share. It starts before the first case. */
export function sharedCluster(size: ClusterSize, args: readonly string[] = []): () => TestCluster {
  const scope = suiteScope();
  let cluster: TestCluster | undefined;
  before(async () => {
    cluster = await startCluster(scope, size, args);
  });
  return () => {
    if (!cluster) throw new Error('The cluster has not started yet.');
    return cluster;
  };
}
