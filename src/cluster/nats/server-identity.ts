import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** The name that Node.js verifies for a connection that was not opened by name. */
const UNNAMED = 'localhost';

/**
 * Returns what verifies whether a certificate is that of one of the log servers (`host:port`). The
 * client of NATS tells Node.js no name for a server that is given by its IP address, so the address
 * of one of them has to be in the certificate.
 */
export function identityCheck(servers: readonly string[]): typeof checkServerIdentity {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  const unnamed = hosts.filter((host) => isIP(host) !== 0 || host === UNNAMED);
  return (name: string, certificate: PeerCertificate) => {
    if (name !== UNNAMED || unnamed.length === 0) return checkServerIdentity(name, certificate);
    const faults = unnamed.map((host) => checkServerIdentity(host, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}
