import { failure, type Result } from '../../../../errors.ts';
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
  if (data.length !== 1) return failure('missing-parameter', "The form needs one part 'data'.");
  const { base, ...others } = members.value;
  const document = payloadOf(data[0]!, typeof base === 'string' ? base : context.base);
  return document.ok ? requestOf(others, document.value, context) : document;
}

function membersOf(parts: readonly Part[]): Result<Readonly<Record<string, unknown>>> {
  const members: Record<string, unknown> = {};
  const uris: string[] = [];
  for (const { name, bytes, charset } of parts) {
    if (name !== 'uri' && !single.has(name)) continue;
    const text = decodeText(bytes, charset);
    if (!text.ok) return text;
    if (name === 'uri') uris.push(text.value);
    else if (Object.hasOwn(members, name)) {
      return failure('bad-arguments', `The form has more than one part '${name}'.`);
    } else members[name] = text.value;
  }
  return { ok: true, value: uris.length === 0 ? members : { ...members, uris } };
}
