import type { ConnectionOptions as NodeTlsOptions } from 'node:tls';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { ClusterSettings } from '../settings.ts';
import { connectionError } from './connection-error.ts';
import { fileAuthenticator } from './file-authenticator.ts';
import { identityCheck } from './server-identity.ts';

/** A server that does not answer two pings is given up: after 4 to 6 seconds. */
const PING_INTERVAL_MS = 2000;
const PINGS_WITHOUT_ANSWER = 2;
/** A server that has stopped accepts connections, and says nothing: the next one may be better. */
const CONNECT_MS = 3000;

/**
 * Connects to one of the log servers; later the connection is restored as often as it breaks, on
 * any of them. Throws `unavailable`, with what to do, if none can be reached now.
 *
 * @param purpose part of the connection's name, which operators see in NATS
 */
export async function connectNats(settings: ClusterSettings, purpose: string): Promise<NatsConnection> {
  const { credentialsFile } = settings;
  const options: ConnectionOptions = {
    servers: [...settings.servers],
    name: `pathpool ${settings.process} ${purpose}`,
    maxReconnectAttempts: -1,
    // Credentials may be corrected while this process runs.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    timeout: CONNECT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_WITHOUT_ANSWER,
    ...(settings.user !== undefined && { user: settings.user }),
    ...(settings.password !== undefined && { pass: settings.password }),
    ...(settings.token !== undefined && { token: settings.token }),
    ...(credentialsFile !== undefined && { authenticator: fileAuthenticator(credentialsFile) }),
    ...(settings.tls && { tls: tlsOf(settings) }),
  };
  return connect(options).catch((error: unknown) => {
    throw connectionError(error, settings);
  });
}

/** The client of NATS passes what it does not know on to Node.js. */
type TlsOptions = NonNullable<ConnectionOptions['tls']> & Pick<NodeTlsOptions, 'checkServerIdentity'>;

function tlsOf({ servers, caFile, certificateFile, keyFile }: ClusterSettings): TlsOptions {
  return {
    checkServerIdentity: identityCheck(servers),
    ...(caFile !== undefined && { caFile }),
    ...(certificateFile !== undefined && { certFile: certificateFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
