import type { ResourceService } from '../../services/resources.ts';
import type { Rel } from './resource-link.ts';

/** The service as handlers see it: without its private parts, so that tests can put another in its place. */
export type Resources = Pick<ResourceService, keyof ResourceService>;

export interface ResourceOptions {
  /** Base URI of the server, without trailing slash. */
  readonly base: string;
  /** What PUT at `/resource` does: names the place for the data, or stores them itself. */
  readonly putMode: 'redirect' | 'direct';
  /** Which side of a resource a type without `rel` means. */
  readonly defaultRel: Rel;
}
