import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { ClusterSettings } from '../settings.ts';

/** A server that does not answer two pings is given up: after 4 to 6 seconds. */
const PING_INTERVAL_MS = 2000;
const PINGS_WITHOUT_ANSWER = 2;
/** A server that has stopped accepts connections, and says nothing: the next one may be better. */
const CONNECT_MS = 3000;

/**
 * Connects to one of the log servers; later the connection is restored as often as it breaks, on
 * any of them. Throws if none can be reached now.
 *
 * @param purpose part of the connection's name, which operators see in NATS
 */
export async function connectNats(settings: ClusterSettings, purpose: string): Promise<NatsConnection> {
  const authenticator = await authenticatorOf(settings);
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
    ...(authenticator && { authenticator }),
    ...(settings.tls && { tls: tlsOf(settings) }),
  };
  return connect(options);
}

async function authenticatorOf({ credentialsFile }: ClusterSettings): Promise<Authenticator | undefined> {
  return credentialsFile === undefined ? undefined : credsAuthenticator(await readFile(credentialsFile));
}

function tlsOf({ caFile, certificateFile, keyFile }: ClusterSettings): NonNullable<ConnectionOptions['tls']> {
  return {
    ...(caFile !== undefined && { caFile }),
    ...(certificateFile !== undefined && { certFile: certificateFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
