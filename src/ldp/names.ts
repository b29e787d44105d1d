/** The container that a URI below the root belongs to: the URI without its last segment. */
export function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

const META = '.meta';

/** URI of the description of a binary (http-api L-5). */
export function descriptionOf(binary: string): string {
  return binary + META;
}

/** URI of the binary that a description describes. */
export function describedBy(description: string): string {
  return description.slice(0, -META.length);
}

/** Whether nothing but a description may have that URI (http-api L-5). */
export function isReserved(uri: string): boolean {
  return uri.endsWith(META);
}
