import { PathpoolClient } from '../../../src/library/client/entry.ts';
import { serverUrl } from './location.ts';
import { sessionFetch } from './session.ts';

/** The server from which the console was loaded. */
export const client = new PathpoolClient(serverUrl, { fetch: sessionFetch });
