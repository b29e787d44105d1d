import { BACKUP_FORMAT } from '../../src/cli/backups/manifest.ts';
import { REPOSITORY_FORMAT } from '../../src/cli/backups/repository.ts';
import { LOG_FORMAT } from '../../src/cluster/nats/genesis.ts';
import { MESSAGE_FORMAT } from '../../src/cluster/nats/parts.ts';
import { CHECKPOINT_ENTRY_FORMAT } from '../../src/cluster/objects/checkpoint-entry.ts';
import { CLUSTER_FILE_FORMAT } from '../../src/cluster/objects/cluster-file.ts';
import { STATE_FORMAT } from '../../src/indexing/run-state.ts';
import { formatVersions } from '../../src/journal/record.ts';
import { sealFormat } from '../../src/journal/seal.ts';
import { IMAGE_VERSION } from '../../src/snapshot/image/layout.ts';
import { MANIFEST_FORMAT } from '../../src/store/checkpoint/checkpoint.ts';
import { IDENTITY_FORMAT } from '../../src/store/registry/identity.ts';

/** The newest format of each kind of file and message that the present code reads and writes. */
export const formats: Readonly<Record<string, number>> = {
  directory: IDENTITY_FORMAT,
  journal: Math.max(...formatVersions),
  seal: sealFormat,
  manifest: MANIFEST_FORMAT,
  image: IMAGE_VERSION,
  clusterFile: CLUSTER_FILE_FORMAT,
  clusterLog: LOG_FORMAT,
  clusterMessage: MESSAGE_FORMAT,
  clusterCheckpoint: CHECKPOINT_ENTRY_FORMAT,
  indexState: STATE_FORMAT,
  backupRepository: REPOSITORY_FORMAT,
  backup: BACKUP_FORMAT,
};
