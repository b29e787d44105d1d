/** Returns the container of a URI below the root: the URI without its last segment. */
export function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

const META = '.meta';

/** Returns the URI of a binary's description (http-api L-5). */
export function descriptionOf(binary: string): string {
  return binary + META;
}

/** Returns the URI of the binary that a description describes. */
export function describedBy(description: string): string {
  return description.slice(0, -META.length);
}

/** Whether only a description may have this URI (http-api L-5). */
export function isReserved(uri: string): boolean {
  return uri.endsWith(META);
}
