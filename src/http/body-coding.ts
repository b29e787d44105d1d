import { failure, type Result } from '../errors.ts';

/** Whether a body is packed, by its `Content-Encoding`; error `unsupported-coding` for all but gzip (G-62). */
export function parseContentCoding(header: string | undefined): Result<'gzip' | 'identity'> {
  const coding = header?.trim().toLowerCase() ?? '';
  if (coding === 'gzip' || coding === 'x-gzip') return { ok: true, value: 'gzip' };
  if (coding === '' || coding === 'identity') return { ok: true, value: 'identity' };
  return failure('unsupported-coding', `The content coding '${coding}' is not supported.`);
}

/**
 * The WHATWG name of a charset; undefined for UTF-8 and for none. Error `unsupported-media-type` for a label that
 * nobody knows (G-61).
 */
export function parseCharset(label: string | undefined): Result<string | undefined> {
  if (label === undefined) return { ok: true, value: undefined };
  try {
    const { encoding } = new TextDecoder(label);
    return { ok: true, value: encoding === 'utf-8' ? undefined : encoding };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failure('unsupported-media-type', `The charset '${label}' is not known.`);
  }
}
