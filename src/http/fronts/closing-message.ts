import { formatHttpDate } from '../headers/http-date.ts';
import { headBytes, type ResponseHead } from '../server/header-lines.ts';

/**
 * While it processes a packet, uWebSockets.js collects writes of up to 16 KiB and sends longer ones
 * at once.
 */
const SENT_AT_ONCE = 16 * 1024 + 1;
const LINE_END = '\r\n';

/**
 * Returns a whole response to pass as the status, so that it is sent before uWebSockets.js reads
 * on. Therefore it must be long: the text is padded with white space. A response without a body
 * (HEAD) is padded with empty lines, which clients skip.
 */
export function closingMessage(head: ResponseHead, text: string, withoutBody: boolean): ArrayBuffer {
  const start = typeof head === 'string' ? head : Buffer.from(head).toString();
  const padding = ' '.repeat(SENT_AT_ONCE);
  // uWebSockets.js adds a line end to the status. Here it is the end of the body.
  const length = Buffer.byteLength(text) + padding.length + LINE_END.length;
  const more = `Date: ${formatHttpDate(Date.now())}\r\nConnection: close\r\nContent-Length: ${length}`;
  const body = withoutBody ? LINE_END.repeat(SENT_AT_ONCE / 2) : text + padding;
  return headBytes(`${start}\r\n${more}\r\n\r\n${body}`);
}
