import { createServer } from 'node:net';

/**
 * Rejects when a server can't listen there, with the system's reason. The front shares its port with any other
 * such front that asks for it, and each would silently get half of the connections.
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
