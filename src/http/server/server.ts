import { chooseFront } from '../fronts/choose-front.ts';
import type { Listener } from '../fronts/front.ts';
import type { FrontName } from '../fronts/known-fronts.ts';
import { ExchangeHost } from './exchange-host.ts';
import type { HttpServerOptions } from './http-options.ts';

export interface HttpServer {
  readonly port: number;
  readonly front: FrontName;
  /** Why uWebSockets.js is not used, if it was neither chosen nor excluded. */
  readonly fallback?: string;
  /** See `Listener`. */
  readonly replaceTls: Listener['replaceTls'];
  /**
   * Rejects new requests from now on (G-93), while running ones have up to `graceMs` to end.
   * Resolves when they have; connections stay open, so that rejections reach the clients.
   */
  drain(graceMs: number): Promise<void>;
  /**
   * Stops the server. New requests get 503 `shutting-down`; running ones have up to `graceMs` to
   * end (G-93). Resolves when all connections are closed. Further calls change nothing.
   */
  close(graceMs: number): Promise<void>;
}

/** Listens for requests. Rejects if the address is not available. */
export async function startServer(options: HttpServerOptions): Promise<HttpServer> {
  const { front, fallback } = await chooseFront(options.front, options.loadUws);
  const host = new ExchangeHost(options, front);
  const listener = await front.listen(options, host);
  const stop = async (graceMs: number) => {
    await host.close(graceMs);
    await listener.close();
  };
  let stopped: Promise<void> | undefined;
  const close = (graceMs: number) => {
    stopped ??= stop(graceMs);
    return stopped;
  };
  const drain = (graceMs: number) => host.close(graceMs);
  const { port, replaceTls } = listener;
  return { port, replaceTls, front: front.name, ...(fallback !== undefined && { fallback }), drain, close };
}
