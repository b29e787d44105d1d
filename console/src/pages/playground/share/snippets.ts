import { curlCommand } from '../../../app/curl.ts';
import type { PlaygroundState } from '../address-state.ts';

/** How to send the same request from elsewhere. */
interface SnippetRequest extends PlaygroundState {
  /** The URL of the server, with a slash at its end. */
  readonly server: string;
  readonly hasCredentials: boolean;
}

export function commandFor({ server, program, starts, hasCredentials }: SnippetRequest): string {
  const [only] = starts;
  const path =
    starts.length === 1
      ? `ldpath/program?uri=${encodeURIComponent(only!)}`
      : `ldpath/debug?${starts.map((start) => `context=${encodeURIComponent(start)}`).join('&')}`;
  return curlCommand(server + path, {
    type: 'text/plain; charset=utf-8',
    text: program,
    hasCredentials,
  });
}

/** Returns a module for Node.js that uses the client library. */
export function clientSnippet({ server, program, starts, hasCredentials }: SnippetRequest): string {
  const options = hasCredentials ? `, {\n  headers: { Authorization: process.env.AUTHORIZATION },\n}` : '';
  const head = `import { PathpoolClient } from 'pathpool/client';

const client = new PathpoolClient(${JSON.stringify(server.replace(/\/$/, ''))}${options});
const program = ${templateQuoted(program)};
`;
  const [only] = starts;
  if (starts.length === 1) {
    return `${head}
const fields = await client.ldpath.program(program, ${JSON.stringify(only)});
console.log(fields);
`;
  }
  return `${head}const uris = ${JSON.stringify(starts, null, 2)};

for await (const { uri, result, error } of client.ldpath.batch(program, { uris, ordered: true })) {
  console.log(uri, result ?? error);
}
`;
}

function templateQuoted(text: string): string {
  return `\`${text.replace(/\\|`|\$\{/g, '\\$&')}\``;
}
