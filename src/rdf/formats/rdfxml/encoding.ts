import { toUtf8 } from '../decode-text.ts';

/** The production XMLDecl; the parser reports other declarations. */
const declaration = (() => {
  const space = '[ \\t\\r\\n]';
  const quoted = (value: string) => `${space}*=${space}*(?:"${value}"|'${value}')`;
  const version = `${space}+version${quoted('1\\.[0-9]+')}`;
  const encoding = `${space}+encoding${quoted('[A-Za-z][A-Za-z0-9._-]*')}`;
  const standalone = `${space}+standalone${quoted('(?:yes|no)')}`;
  return new RegExp(`^<\\?xml${version}(?:${encoding})?(?:${standalone})?${space}*\\?>`);
})();
const encoding = /\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
/** Number of bytes in which the declaration is searched. */
const HEAD = 1024;
const SPACE = 0x20;

/**
 * Converts an XML document to UTF-8 without a declaration, which is replaced by spaces so that
 * positions do not change. The charset of the header takes precedence, then a byte order mark, then
 * the declaration.
 */
export function xmlToUtf8(body: Uint8Array, charset: string | undefined): Uint8Array {
  const bytes = toUtf8(body, charset ?? markedEncoding(body) ?? declaredEncoding(body));
  const length = declaration.exec(latin1(bytes))?.[0].length ?? 0;
  return length === 0 ? bytes : Uint8Array.from(bytes).fill(SPACE, 0, length);
}

function markedEncoding(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function declaredEncoding(body: Uint8Array): string | undefined {
  return encoding.exec(declaration.exec(latin1(body))?.[0] ?? '')?.[1];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1');
}
