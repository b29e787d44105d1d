import type { ChangeStream } from '../../../services/changes/page-stream.ts';
import type { BodyStream } from '../../server/message.ts';

/** Stops the stream even if its body is never read, as for a HEAD request. */
export function untilStopped(
  stream: Pick<ChangeStream, 'stop'>,
  body: AsyncGenerator<Uint8Array>,
): BodyStream {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => body.next(),
      return: () => {
        stream.stop();
        return body.return(undefined);
      },
    }),
  };
}
