/** The first index of all persons, beside the reference engine with the same program and data. */

import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { GRAPH } from '../../data/person-data.ts';
import { spawnEntry, start, startCommand, stop } from '../../measure/processes.ts';
import type { Outcome } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { PERSON_CLASS, STORED_PROGRAM, storeProgram } from './stored-program.ts';

const ARCHIVES = '.cache/peers/ldpath';
const INSTALL =
  'mvn -f bench/peers/ldpath/pom.xml dependency:copy-dependencies -DoutputDirectory=../../../.cache/peers/ldpath';

export async function firstIndex(stage: Stage): Promise<Outcome> {
  const { persons } = stage.options;
  const server = await stage.server();
  await storeProgram(server.url, 'people');
  const peer = existsSync(ARCHIVES) ? await referenceFiles(stage, server.url) : undefined;
  const core = await start('bench/children/accepting-core', []);
  const rates: number[] = [];
  const peerRates: number[] = [];
  try {
    for (let round = 0; round < stage.heavyRounds; round++) {
      if (peer) peerRates.push(await referenceRate(peer));
      rates.push(await indexRate(server.url, `http://127.0.0.1:${core.line}`, persons));
    }
  } finally {
    await stop(core);
  }
  const reference = { name: 'reference engine in memory, evaluation only', values: peerRates };
  return {
    figures: [
      {
        id: 'indexing.first',
        name: `pathpool index, ${persons} documents of six fields to a Solr that keeps nothing`,
        unit: 'documents/s',
        better: 'more',
        values: rates,
        ...(peer && { reference }),
      },
    ],
    ...(!peer && { skipped: [{ id: 'indexing.first beside the reference engine', reason: INSTALL }] }),
  };
}

/** Documents a second, from the start of the process to its end. */
async function indexRate(server: string, core: string, documents: number): Promise<number> {
  const began = performance.now();
  const args = ['index', '--server', server, '--name', 'people', '--to', `solr:${core}`, '--once'];
  const [status] = await once(spawnEntry('src/main', args), 'exit');
  if (status !== 0) throw new Error(`pathpool index ended with status ${status}`);
  return (documents * 1000) / (performance.now() - began);
}

interface ReferenceFiles {
  readonly triples: string;
  readonly program: string;
  readonly out: string;
}

async function referenceFiles(stage: Stage, url: string): Promise<ReferenceFiles> {
  const folder = join(stage.directory, 'reference');
  await mkdir(folder);
  const files = {
    triples: join(folder, 'people.nt'),
    program: join(folder, 'people.ldpath'),
    out: join(folder, 'out'),
  };
  await writeFile(files.program, STORED_PROGRAM);
  const target = `${url}/context?graph=${encodeURIComponent(GRAPH)}`;
  const response = await fetch(target, { headers: { Accept: 'application/n-triples' } });
  if (!response.ok || !response.body) throw new Error(`GET of the graph: ${response.status}`);
  await pipeline(Readable.fromWeb(response.body), createWriteStream(files.triples));
  return files;
}

/** Documents a second, without the time to read the triples. */
async function referenceRate({ triples, program, out }: ReferenceFiles): Promise<number> {
  const file = 'bench/peers/ldpath/WholeSet.java';
  const args = ['-cp', `${ARCHIVES}/*`, file, triples, program, PERSON_CLASS, out];
  const child = startCommand('java', args);
  const output = await text(child.stdout!);
  const { documents, milliseconds } = JSON.parse(output) as { documents: number; milliseconds: number };
  return (documents * 1000) / milliseconds;
}
