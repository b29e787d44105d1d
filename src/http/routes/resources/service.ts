import type { ResourceService } from '../../../services/resources/resources.ts';
import type { Watch } from '../changes/watch.ts';
import type { Rel } from './link.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type Resources = Pick<ResourceService, keyof ResourceService>;

export interface ResourceOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /**
   * What PUT at `/resource` does: redirects to the URL for the data, or stores them itself (R-32,
   *
   */
  readonly putMode: 'redirect' | 'direct';
  /** The side of a resource that a type without `rel` denotes. */
  readonly defaultRel: Rel;
  readonly watch: Pick<Watch, 'follow'>;
  /** Whether browsers are led to the page of a resource in the console. */
  readonly page: boolean;
}
