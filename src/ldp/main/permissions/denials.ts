import { maySeeAllBelow, newNameDenial, type Restricted, writeDenial } from '../../../base/graph-access.ts';
import { type ErrorData, errorData, noSuchResource } from '../../../errors.ts';
import { isContainer } from '../../model/kinds.ts';
import { parentOf } from '../../model/names.ts';
import type { LdpSpace } from '../space.ts';

type Space = Pick<LdpSpace, 'root' | 'entry' | 'isShown'>;

/**
 * Returns why a client can't change the resource with a URI, whether or not it exists (http-api
 * G-162).
 */
export function changeDenial(space: Space, uri: string, client: Restricted): ErrorData | undefined {
  const hidden = noSuchResource(uri).error;
  return space.isShown(uri, client) ? writeDenial(client, uri, hidden) : hidden;
}

/**
 * Returns why a client can't create the resource with a URI: that changes its container, or creates
 * containers up to one that exists. What it may write it sees, so this tells nothing of others.
 */
export function creationDenial(space: Space, uri: string, client: Restricted): ErrorData | undefined {
  if (client.access === undefined) return undefined;
  for (let above = parentOf(uri); ; above = parentOf(above)) {
    const denied = newNameDenial(client, above);
    if (denied || above === space.root || space.entry(above) !== undefined) return denied;
  }
}

/**
 * Returns why a client can't remove an existing resource. A container may have members that are
 * hidden from the client, unless it sees everything below.
 */
export function removalDenial(space: Space, uri: string, client: Restricted): ErrorData | undefined {
  if (client.access === undefined) return undefined;
  const entry = space.entry(uri);
  const isLive = entry !== undefined && entry !== 'gone';
  if (isLive && isContainer(entry.kind) && !maySeeAllBelow(client, uri)) return mayHaveHidden(uri);
  return newNameDenial(client, parentOf(uri));
}

function mayHaveHidden(uri: string): ErrorData {
  const message = `Removing <${uri}> requires credentials that may read all that can be below it.`;
  return errorData('forbidden', message, { uri });
}
