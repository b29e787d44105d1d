import { firstInvalidByte } from '../../../base/json/invalid-byte.ts';
import { failure, type Result } from '../../../errors.ts';
import { decodeText } from './body-text.ts';

/**
 * Returns the members of the JSON object in a body, which is in UTF-8. Errors `parse-error` with
 * the place, `bad-arguments`.
 */
export function parseJsonObject(body: Uint8Array): Result<Readonly<Record<string, unknown>>> {
  const json = parseJson(body);
  if (!json.ok) return json;
  const { value } = json;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ok: true, value: value as Record<string, unknown> }
    : failure('bad-arguments', 'The body must be a JSON object.');
}

function parseJson(body: Uint8Array): Result<unknown> {
  const text = decodeText(body);
  if (!text.ok) return text;
  try {
    return { ok: true, value: JSON.parse(text.value) };
  } catch {
    const bytes = Buffer.from(text.value);
    const before = bytes.toString('utf8', 0, firstInvalidByte(bytes)).split('\n');
    const place = { line: before.length, column: [...before.at(-1)!].length + 1 };
    return failure('parse-error', 'The body is not JSON.', { ...place, source: 'body' });
  }
}
