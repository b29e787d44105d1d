import { COLON, OPEN_LIST } from '../../../base/json/bytes.ts';
import { JsonStarts } from '../../../services/ldpath/json-starts.ts';

/** Decodes only whole texts, so one instance is enough. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const KEY = '"uris"';
const SPACE = 0x20;

/** The document with an empty list of start resources, and the start resources. */
export interface SplitBatch {
  readonly members: Readonly<Record<string, unknown>>;
  readonly starts: JsonStarts;
}

/**
 * Extracts the start resources of a batch without decoding them to strings. Returns null if the
 * result might differ from that of `JSON.parse`, or if the document has an error: then `JSON.parse`
 * must read all of it.
 */
export function splitBatch(body: Uint8Array): SplitBatch | null {
  const json = Buffer.from(body.buffer, body.byteOffset, body.length);
  const key = json.indexOf(KEY);
  const list = key < 0 ? -1 : listAfter(json, key + KEY.length);
  const starts = list < 0 ? null : JsonStarts.read(json, list);
  if (!starts || json.includes(KEY, starts.end)) return null;
  const members = parseRest(json.subarray(0, list), json.subarray(starts.end));
  return members && { members, starts };
}

/** Returns null if `uris` is anything other than the extracted list. */
function parseRest(before: Buffer, after: Buffer): Record<string, unknown> | null {
  try {
    const text = `${utf8.decode(before)}[]${utf8.decode(after)}`;
    // An escape could hide a second member with that name.
    if (text.includes('\\u')) return null;
    const { uris, ...members } = JSON.parse(text) as Record<string, unknown>;
    return Array.isArray(uris) && uris.length === 0 ? members : null;
  } catch {
    return null;
  }
}

function listAfter(json: Buffer, from: number): number {
  if (json[from] !== COLON) return -1;
  const at = from + (json[from + 1] === SPACE ? 2 : 1);
  return json[at] === OPEN_LIST ? at : -1;
}
