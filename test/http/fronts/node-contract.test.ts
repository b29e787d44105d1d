/** The contract of fronts, on node:http. */
import { tested } from '../../support/tested-front.ts';

tested.front = 'node';
await import('../../contracts/http-server.contract.ts');
await import('../../contracts/slow-responses.contract.ts');
