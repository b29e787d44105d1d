import { failure, type Result } from '../../../../errors.ts';
import { parseCharset } from '../../../server/body-coding.ts';
import { type Part, payloadOf } from '../../graph-store/multipart.ts';
import { decodeText } from '../body-text.ts';
import { type ParsedRequest, type RequestContext, requestOf } from './json-request.ts';

const single: ReadonlySet<string> = new Set([
  'program',
  'path',
  'name',
  'format',
  'separator',
  'missing',
  'base',
]);

/**
 * Reads the request from the parts of a form: `data`, `uri` (repeatable), and the texts of the
 * other members. Errors as for JSON.
 */
export function parseFormRequest(parts: readonly Part[], context: RequestContext): Result<ParsedRequest> {
  const members = membersOf(parts);
  if (!members.ok) return members;
  const data = parts.filter(({ name }) => name === 'data');
  if (data.length === 0) return missingPart('data');
  if (data.length > 1) return severalParts('data');
  if (members.value['uris'] === undefined) return missingPart('uri');
  const { base, ...others } = members.value;
  const document = payloadOf(data[0]!, typeof base === 'string' ? base : context.base);
  return document.ok ? requestOf(others, document.value, context) : document;
}

function membersOf(parts: readonly Part[]): Result<Readonly<Record<string, unknown>>> {
  const members: Record<string, unknown> = {};
  const uris: string[] = [];
  for (const { name, bytes, charset } of parts) {
    if (name !== 'uri' && !single.has(name)) continue;
    const encoding = parseCharset(charset);
    if (!encoding.ok) return encoding;
    const text = decodeText(bytes, encoding.value);
    if (!text.ok) return text;
    if (name === 'uri') uris.push(text.value);
    else if (Object.hasOwn(members, name)) {
      return severalParts(name);
    } else members[name] = text.value;
  }
  return { ok: true, value: uris.length === 0 ? members : { ...members, uris } };
}

function missingPart(name: string): Result<never> {
  return failure('missing-parameter', `The form has no part '${name}'.`);
}

function severalParts(name: string): Result<never> {
  return failure('bad-arguments', `The form has more than one part '${name}'.`);
}
