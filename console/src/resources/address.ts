import { addressOf } from '../app/location.ts';

const BLANK = '_:';

/** Returns the address of the page of a resource: an IRI, or a blank node as `_:id`. */
export function pageOf(resource: string): string {
  return resource.startsWith(BLANK)
    ? addressOf('resource', { genid: resource.slice(BLANK.length) })
    : addressOf('resource', { uri: resource });
}

/** Whether a browser may open an IRI of the data: others may be scripts. */
export function isWebAddress(iri: string): boolean {
  return /^https?:\/\//i.test(iri);
}
