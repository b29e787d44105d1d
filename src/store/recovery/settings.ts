import { ChangeFeedWriter, newChangeFeed } from '../../snapshot/feed/change-feed.ts';
import type { StoreSettings } from '../messages.ts';

export interface RecoverySettings extends Omit<StoreSettings, 'directory'> {
  /** The clock of the store, in milliseconds since 1970; by default that of the system. */
  readonly now?: () => number;
}

/** Returns the change feed of a store whose newest commit is `sequence`. */
export function feedOf(
  { changeFeed }: Pick<StoreSettings, 'changeFeed'>,
  sequence: number,
): ChangeFeedWriter {
  return new ChangeFeedWriter(changeFeed ?? newChangeFeed(), sequence);
}
