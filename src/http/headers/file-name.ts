const MAX_LENGTH = 80;

/**
 * Returns a file name for `Content-Disposition` made from the last segment of a URI. It contains
 * only harmless characters (1.13).
 */
export function fileName(uri: string, extension: string): string {
  const segment = uri.split(/[/#?:]/).findLast((part) => part !== '') ?? '';
  const name = segment.replaceAll(/[^A-Za-z0-9._-]/g, '').slice(0, MAX_LENGTH - extension.length - 1);
  return `${name || 'graph'}.${extension}`;
}
