import { PathpoolError } from '../../../src/library/client/entry.ts';

/** An error, as text that says what is wrong; of the server, with its code. */
export function Problem({ error }: { readonly error: unknown }) {
  return (
    <div class="problem" role="alert">
      {problemText(error)}
    </div>
  );
}

export function problemText(error: unknown): string {
  if (error instanceof PathpoolError) return `${error.message}${error.code ? ` (${error.code})` : ''}`;
  if (error instanceof TypeError) return 'The server cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}
