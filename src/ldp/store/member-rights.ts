import { isWithin } from '../../store/graphs/protected-graphs.ts';
import { WritableGraphs } from '../../store/planning/writable-graphs.ts';
import type { MembershipConfiguration } from '../model/kinds.ts';
import type { LdpDraft } from './draft.ts';
import type { LdpClient } from './operation.ts';

/**
 * Throws `forbidden` if the client must not add or remove these members: membership triples are
 * part of the representations of the LDP resources that they are about (http-api G-168). `client`:
 * undefined if it may write everything.
 */
export function requireWritableMembers(
  draft: LdpDraft,
  client: LdpClient | undefined,
  { membershipResource }: MembershipConfiguration,
  members: readonly string[],
): void {
  if (members.length === 0) return;
  for (const resource of [membershipResource, ...members]) requireWritable(draft, client, resource);
}

/** The same for one resource; others than LDP resources show no membership triples. */
export function requireWritable(draft: LdpDraft, client: LdpClient | undefined, resource: string): void {
  if (!client || !isWithin(resource, client.space)) return;
  new WritableGraphs(draft.reader, client.access).requireOther(resource);
}
