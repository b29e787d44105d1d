import type { PrefixService } from '../../../services/prefixes/service.ts';

/** The service as handlers see it: without its private members, so that tests can replace it. */
export type PrefixTableService = Pick<PrefixService, keyof PrefixService>;

export interface PrefixOptions {
  /** Letters and digits that differ at each start: settings may change then. */
  readonly run: string;
}
