import { type Head, headBytes } from './header-lines.ts';
import { formatHttpDate } from './http-date.ts';

/** uWebSockets.js gathers up to 16 KiB while it reads a packet, and sends at once what is longer. */
const SENT_AT_ONCE = 16 * 1024 + 1;
const LINE_END = '\r\n';

/**
 * A whole response, to be written where a status is expected, that is sent before the front reads on. So it is long:
 * white space follows the text. Without a body (HEAD) empty lines follow, which clients skip.
 */
export function closingMessage(head: Head, text: string, withoutBody: boolean): ArrayBuffer {
  const start = typeof head === 'string' ? head : Buffer.from(head).toString();
  const padding = ' '.repeat(SENT_AT_ONCE);
  // The front ends a status with a line end, which is the end of the body.
  const length = Buffer.byteLength(text) + padding.length + LINE_END.length;
  const more = `Date: ${formatHttpDate(Date.now())}\r\nConnection: close\r\nContent-Length: ${length}`;
  const body = withoutBody ? LINE_END.repeat(SENT_AT_ONCE / 2) : text + padding;
  return headBytes(`${start}\r\n${more}\r\n\r\n${body}`);
}
