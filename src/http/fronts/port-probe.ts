import { createServer } from 'node:net';

/**
 * Rejects with the system's reason if a server can't listen on the address. uWebSockets.js shares
 * its port with any other process that uses the same library and port, and each would silently
 * receive half of the connections.
 */
export async function assertFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => {
      reject(new Error(`Can't listen on ${host}:${port}: ${error.message}`, { cause: error }));
    });
    probe.listen({ host, port, exclusive: true }, resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}
