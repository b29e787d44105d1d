import { Agent, type ClientRequest, request } from 'node:http';
import { runawayKinds, runawayProgram } from '../data/runaways.ts';
import { NUMBER } from '../load/request.ts';

/** Connections from one address, each with a runaway program of its own all the time. */
export class RunawayCrowd {
  readonly #url: string;
  readonly #agent: Agent;
  readonly #connections: number;
  readonly #running = new Set<ClientRequest>();
  #sent = 0;

  /** `url`: of the program service, with its start. `address`: which the connections come from. */
  constructor(url: string, address: string, connections: number) {
    this.#url = url;
    this.#connections = connections;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: address });
  }

  /** Sees to it that each connection has a program. */
  fill(): void {
    while (this.#running.size < this.#connections) this.#send();
  }

  /** Ends all connections, and so what runs for them. */
  leave(): void {
    for (const each of this.#running) each.destroy();
    this.#running.clear();
  }

  #send(): void {
    const number = this.#sent++;
    const program = runawayProgram(runawayKinds[number % runawayKinds.length]!);
    const sent = request(this.#url, { method: 'POST', agent: this.#agent }, (response) => {
      response.resume();
      response.on('end', () => this.#next(sent));
    });
    // A connection that is lost is replaced in the next round.
    sent.on('error', () => this.#running.delete(sent));
    this.#running.add(sent);
    sent.end(program.replaceAll(NUMBER, `${process.pid}_${number}`));
  }

  #next(ended: ClientRequest): void {
    if (this.#running.delete(ended)) this.#send();
  }
}
