/** Where a shared journal is: log servers, and the name of the stream at them. */
export interface JournalPlace {
  /** `host:port`. */
  readonly servers: readonly string[];
  readonly name: string;
  /** Whether connections use TLS. */
  readonly tls: boolean;
}

const DEFAULT_PORT = 4222;

/**
 * Reads `nats://HOST:PORT,HOST:PORT,…/NAME`, or `tls://…`. Throws an error that says what is
 * expected, without the text: it may contain a password.
 */
export function parseJournalUrl(text: string): JournalPlace {
  const [, scheme, authority = '', path = ''] = /^([a-z]+):\/\/([^/]*)(.*)$/i.exec(text) ?? [];
  const tls = scheme?.toLowerCase() === 'tls';
  if (!tls && scheme?.toLowerCase() !== 'nats') {
    throw new Error('expected nats://HOST:PORT,HOST:PORT,…/NAME, or the same with tls://');
  }
  if (authority.includes('@')) {
    throw new Error(
      'it must not contain credentials: use --nats-credentials FILE, or PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD, or PATHPOOL_NATS_TOKEN in the environment',
    );
  }
  const [, name] = /^\/([A-Za-z0-9_-]{1,64})$/.exec(path) ?? [];
  if (name === undefined) {
    throw new Error(
      'expected a name of 1 to 64 letters, digits, hyphens and underscores after the log servers',
    );
  }
  return { servers: authority.split(',').map(parseServer), name, tls };
}

/** The reverse of `parseJournalUrl`. */
export function journalUrl({ servers, name, tls }: JournalPlace): string {
  return `${tls ? 'tls' : 'nats'}://${servers.join(',')}/${name}`;
}

function parseServer(text: string): string {
  const [, host, port = String(DEFAULT_PORT)] =
    /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error('expected a host name or IP address, and perhaps a port, for each log server');
  }
  return `${host}:${port}`;
}
