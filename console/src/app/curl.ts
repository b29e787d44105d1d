interface CurlRequest {
  /** Media type. */
  readonly type: string;
  readonly text: string;
  readonly hasCredentials: boolean;
}

/** Returns a POST request as a command for a POSIX shell; the credentials are left to the user. */
export function curlCommand(url: string, { type, text, hasCredentials }: CurlRequest): string {
  const lines = [
    `curl ${shellQuoted(url)}`,
    ...(hasCredentials ? ['  -H "Authorization: $AUTHORIZATION"'] : []),
    `  -H ${shellQuoted(`Content-Type: ${type}`)}`,
    `  --data-raw ${shellQuoted(text)}`,
  ];
  return lines.join(' \\\n');
}

/** In single quotes a shell leaves everything as it is, except the quote itself. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
