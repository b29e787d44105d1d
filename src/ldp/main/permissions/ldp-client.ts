import type { Restricted } from '../../../base/graph-access.ts';
import type { LdpClient } from '../../store/operation.ts';

/** Returns the client of an operation as a member of it. `space`: the root container. */
export function ldpClientOf({ access }: Restricted, space: string): { readonly client?: LdpClient } {
  return access ? { client: { access, space } } : {};
}
