import { problemText } from '../../components/problem.tsx';
import type { FeedState } from './feed.ts';

/** Says where the data come from, and what to do if they don't come. */
export function FeedStatus({ feed, retry }: { readonly feed: FeedState; readonly retry: () => void }) {
  return (
    <div class="feed-status">
      <p role="status">
        <span class={`dot dot-${feed.kind}`} /> {textOf(feed)}
      </p>
      {feed.kind === 'failed' && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function textOf(feed: FeedState): string {
  if (feed.kind === 'connecting') return 'Connecting…';
  if (feed.kind === 'live') return 'Live';
  if (feed.kind === 'polling')
    return `Asking every 2 seconds, since there are no live events: ${feed.reason}`;
  const retried = feed.isFinal ? '' : ' It is asked again.';
  return `${problemText(feed.error)}${retried}`;
}
