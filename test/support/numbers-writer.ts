/**
 * node --import tsx test/support/numbers-writer.ts DIRECTORY LEASE PREFIX: acquires a lease on the
 * directory, and commits one number after another, each in a triple, until a commit is rejected.
 * Prints `opened`, then each acknowledged number, and finally why a number was rejected. It ends
 * when its standard input is closed.
 */
import { StoreClient } from '../../src/store/main/client.ts';
import { merge } from './stores.ts';

const [directory = '', lease, prefix = ''] = process.argv.slice(2);
const client = await StoreClient.open({
  directory,
  journalMax: 2 ** 12,
  dataMax: 2 ** 31,
  recover: false,
  notice: () => {},
  leaseMs: Number(lease),
});
console.log('opened');
for (let number = 1; ; number++) {
  const operations = [merge('urn:x:g', `<urn:s> <urn:p> "${prefix}${number}" .`)];
  const result = await client.commit({ preconditions: [], operations });
  if (!result.ok) {
    console.log(result.error.message);
    break;
  }
  console.log(`${prefix}${number}`);
}
process.stdin.resume().once('end', () => void client.close());
