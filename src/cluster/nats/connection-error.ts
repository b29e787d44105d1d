import { errors } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';
import type { ClusterSettings } from '../settings.ts';

/** Codes of Node.js and OpenSSL for certificates that are not accepted. */
const INVALID_CERTIFICATE = /^CERT_|^ERR_TLS_CERT|SELF_SIGNED_CERT|^UNABLE_TO_/;

/** Returns an error for operators: why no log server can be reached, and which setting may help. */
export function connectionError(error: unknown, settings: ClusterSettings): AppError {
  if (error instanceof AppError) return error;
  const servers = settings.servers.join(', ');
  const message = `Can't connect to the log servers ${servers}: ${reasonOf(error, settings)}`;
  return new AppError('unavailable', message, { retryAfter: 1 }, error);
}

function reasonOf(error: unknown, settings: ClusterSettings): string {
  const { message, code } = causeOf(error);
  if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
    return `they ${refusedCredentials(settings)} (${message}).`;
  }
  if (INVALID_CERTIFICATE.test(code) && !settings.tls) {
    return `they demand TLS (${message}): give --journal with tls://, and their authority with --nats-ca.`;
  }
  if (INVALID_CERTIFICATE.test(code)) {
    return `the certificate of the log servers is not valid (${message}): give its authority with --nats-ca, and name the servers in --journal as the certificate does.`;
  }
  if (message.includes('PEM routines')) {
    return `a file of --nats-ca, --nats-certificate or --nats-key is not what it should be (${message}).`;
  }
  if (message.includes("does not support 'tls'")) {
    return 'they do not use TLS: give --journal with nats://, or set TLS up at them.';
  }
  // A server that demands a certificate closes the connection, which the client does not notice.
  const mayDemand = settings.tls && settings.certificateFile === undefined && message === 'timeout';
  if (!mayDemand) return `${message}.`;
  return 'timeout. If they demand a certificate of their clients, give --nats-certificate and --nats-key.';
}

function refusedCredentials({ credentialsFile, user, token }: ClusterSettings): string {
  if (credentialsFile !== undefined) {
    return `refuse the credentials of --nats-credentials ${credentialsFile}`;
  }
  if (user !== undefined) {
    return 'refuse the user and password of PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD';
  }
  if (token !== undefined) return 'refuse the token of PATHPOOL_NATS_TOKEN';
  return 'demand credentials: give --nats-credentials, or PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD, or PATHPOOL_NATS_TOKEN';
}

/** What Node.js says, which the client of NATS may have wrapped. */
function causeOf(error: unknown): { readonly message: string; readonly code: string } {
  const { message, code, cause } = error as {
    readonly message?: unknown;
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  if (code === undefined && cause instanceof Error) return causeOf(cause);
  return { message: String(message ?? error), code: String(code ?? '') };
}
