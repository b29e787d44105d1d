/** `POST /ldpath/program` of six fields. */
import { programRequests } from '../data/person-requests.ts';
import type { Outcome } from '../report/figure.ts';
import type { Stage } from '../stage.ts';
import { besideHello } from './beside-hello.ts';

export async function benchProgram(stage: Stage): Promise<Outcome> {
  const server = await stage.server();
  const target = { url: server.url, requests: programRequests(stage.options.persons) };
  const name = 'POST /ldpath/program, six fields, random starts';
  return { figures: [await besideHello(stage, { id: 'program', name, server, target, goal: 0.25 })] };
}
