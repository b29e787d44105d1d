import { STATUS_CODES } from 'node:http';
import type { Header } from './message.ts';

/** The part of the front's response that takes a head. */
export interface HeadPort {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
}

/** What would end a header line and let a value pass for more headers, or for a body. */
const unsafe = /[\0\r\n]/;

const statusLines: string[] = [];
for (const [code, phrase] of Object.entries(STATUS_CODES)) statusLines[Number(code)] = `${code} ${phrase}`;

/** The name of the first header whose value has a line end or NUL in it. */
export function unsafeHeader(headers: readonly Header[]): string | undefined {
  for (const [name, value] of headers) if (unsafe.test(value)) return name;
  return undefined;
}

/** Header lines, each after a line end. The values must have been found safe. */
export function formatHeaders(headers: readonly Header[]): string {
  let text = '';
  for (const [name, value] of headers) text += `\r\n${name}: ${value}`;
  return text;
}

/**
 * Writes status and headers, given as `formatHeaders` makes them. All go in one call, as if they were part of a
 * first one's value: each call into the front costs more than joining does, and the front copies name, colon,
 * value and line end as they are.
 */
export function writeHead(port: HeadPort, status: number, headers: string): void {
  if (status !== 200) port.writeStatus(statusLines[status] ?? String(status));
  port.writeHeader('X-Content-Type-Options', `nosniff${headers}`);
}
