import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { ConnectionError } from '../../app/upload.ts';
import { Problem } from '../../components/problem.tsx';
import type { OffendingLine } from './offending-line.ts';

interface FailureProps {
  readonly error: unknown;
  readonly line: OffendingLine | undefined;
}

/** Why a file was not stored, the place in the file, and what to do. */
export function Failure({ error, line }: FailureProps) {
  const position = error instanceof PathpoolError ? error.problem : {};
  return (
    <>
      <Problem error={error} />
      {position.line !== undefined && (
        <p class="place">
          Line {position.line}, column {position.column}
        </p>
      )}
      {line && <Excerpt line={line} />}
      <Advice error={error} />
    </>
  );
}

function Excerpt({ line: { text, at, isCutBefore, isCutAfter } }: { readonly line: OffendingLine }) {
  const begin = `${isCutBefore ? '…' : ''}${text.slice(0, at)}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused
    <pre class="offending-line" tabIndex={0}>
      {begin}
      {text.slice(at)}
      {isCutAfter && '…'}
      {'\n'}
      {/* Takes as much room as what stands above it, whatever the width of its characters. */}
      <span class="room" aria-hidden="true">
        {begin}
      </span>
      <span class="marker" aria-hidden="true">
        ^
      </span>
    </pre>
  );
}

function Advice({ error }: { readonly error: unknown }) {
  if (error instanceof ConnectionError) {
    return (
      <p>
        A server does that when a file is much larger than it accepts. <LargeFiles />
      </p>
    );
  }
  const code = error instanceof PathpoolError ? error.code : undefined;
  if (code === 'too-large') {
    return (
      <p>
        <LargeFiles />
      </p>
    );
  }
  if (code === 'precondition-failed') {
    return <p>The graph has changed since this page read it. See what is there now, and load again.</p>;
  }
  return code === 'forbidden' ? <p>Loading needs credentials with the role write.</p> : null;
}

function LargeFiles() {
  return (
    <>
      The limit is the server’s setting <code>--max-rdf-body</code>. Larger files are loaded without a server,
      by <code>pathpool load DIR FILE</code>, where <code>DIR</code> is the data directory; or split the file.
    </>
  );
}
