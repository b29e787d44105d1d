/** The contract of fronts, on uWebSockets.js. */
import { tested } from '../../support/tested-front.ts';

tested.front = 'uws';
await import('../../contracts/http-server.contract.ts');
await import('../../contracts/slow-responses.contract.ts');
