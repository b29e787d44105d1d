import { isSignedIn } from './session.ts';

interface CurlBody {
  /** Media type. */
  readonly type: string;
  readonly text: string;
}

/** Returns a POST request as a command for a POSIX shell; the credentials are left to the user. */
export function curlCommand(url: string, { type, text }: CurlBody): string {
  const lines = [
    `curl ${shellQuoted(url)}`,
    ...(isSignedIn() ? ['  -H "Authorization: $AUTHORIZATION"'] : []),
    `  -H ${shellQuoted(`Content-Type: ${type}`)}`,
    `  --data-raw ${shellQuoted(text)}`,
  ];
  return lines.join(' \\\n');
}

/** In single quotes a shell leaves everything as it is, except the quote itself. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
