import type { StreamInfo } from '@nats-io/jetstream';
import type { Member } from '../../cluster/membership/members.ts';
import { bucketNames } from '../../cluster/nats/buckets.ts';
import type { SharedCheckpoint } from '../../cluster/objects/checkpoint-entry.ts';
import { storeError } from '../../cluster/objects/errors.ts';
import { sharedCheckpoints } from '../../cluster/objects/share-checkpoint.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import type { Inspection } from '../inspect.ts';
import { openExisting } from './existing-log.ts';

