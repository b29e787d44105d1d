/**
 * npm run bench -- [--persons 125000] [--rounds 3] [--seconds 5] [--only evaluation|front|server|batch|noisy|resources|durability]
 */
import { parseArgs } from 'node:util';
import { benchBatch } from './batch.bench.ts';
import { benchDurability } from './durability.bench.ts';
import { benchEvaluation } from './evaluation.bench.ts';
import { benchFront } from './front.bench.ts';
import { benchNoisyNeighbour } from './noisy-neighbour.bench.ts';
import { environment, type Figure, writeReport } from './report.ts';
import { benchResources } from './resources.bench.ts';
import { benchServer } from './server.bench.ts';

const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '125000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
const options = {
  persons: Number(values.persons),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
};
const figures: Figure[] = [];
const wants = (name: string) => values.only === undefined || values.only === name;
if (wants('evaluation')) figures.push(...(await benchEvaluation(options.persons)));
if (wants('front')) figures.push(...(await benchFront(options)));
if (wants('server')) figures.push(...(await benchServer(options)));
if (wants('batch')) figures.push(...(await benchBatch(options)));
if (wants('noisy')) figures.push(...(await benchNoisyNeighbour(options)));
if (wants('resources')) figures.push(...(await benchResources(options)));
if (wants('durability')) figures.push(...(await benchDurability(options)));
await writeReport(figures, { date: new Date().toISOString(), ...(await environment()), ...options });
