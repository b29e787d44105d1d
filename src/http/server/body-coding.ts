import { failure, type Result } from '../../errors.ts';
import { charsetName } from '../../rdf/formats/decode-charset.ts';

/**
 * Returns the content coding of a body by its `Content-Encoding`. Error `unsupported-coding` for
 * anything other than gzip (G-62).
 */
export function parseContentCoding(header: string | undefined): Result<'gzip' | 'identity'> {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === 'gzip' || coding === 'x-gzip') return { ok: true, value: 'gzip' };
  if (coding === '' || coding === 'identity') return { ok: true, value: 'identity' };
  return failure('unsupported-coding', `The content coding '${coding}' is not supported.`);
}

/**
 * Returns the WHATWG name of a charset, or undefined for UTF-8 and for a missing label. Error
 * `unsupported-media-type` for an unknown label (G-61).
 */
export function parseCharset(label: string | undefined): Result<string | undefined> {
  if (label === undefined) return { ok: true, value: undefined };
  try {
    const encoding = charsetName(label);
    return { ok: true, value: encoding === 'utf-8' ? undefined : encoding };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failure('unsupported-media-type', `The charset '${label}' is unknown.`);
  }
}
