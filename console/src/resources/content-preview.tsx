import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '../app/wait.ts';
import { Problem } from '../components/problem.tsx';

interface ContentPreviewProps {
  /** What the bytes are, for screen readers. */
  readonly name: string;
  /** Media type, without parameters. */
  readonly type: string;
  /** Number of bytes, if it is known. */
  readonly size: number | undefined;
  readonly read: (signal: AbortSignal, init: RequestInit) => Promise<Response>;
}

/** Types that an `img` shows. SVG is not one of them: it may contain scripts and references. */
const images: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);
const texts = /^text\/|^application\/(json|.*\+json|xml|.*\+xml|javascript|sparql-.*)$|^image\/svg\+xml$/;

/** Bytes. */
const MAX_IMAGE = 20 * 1024 * 1024;
const MAX_TEXT = 100_000;

/** Shows stored bytes where that is safe: images as images, all text as text. */
export function ContentPreview(props: ContentPreviewProps) {
  if (images.has(props.type)) {
    return (props.size ?? 0) > MAX_IMAGE ? (
      <p class="hint">The image is too large to be shown here.</p>
    ) : (
      <ImagePreview {...props} />
    );
  }
  return texts.test(props.type) ? <TextPreview {...props} /> : null;
}

function ImagePreview({ name, read }: ContentPreviewProps) {
  const { value: bytes, error } = useLoaded(async (signal) => (await read(signal, {})).blob(), [name]);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const created = URL.createObjectURL(bytes);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [bytes]);
  if (error !== undefined) return <Problem error={error} />;
  return url === undefined ? (
    <p class="loading">Loading…</p>
  ) : (
    <img class="preview" src={url} alt={`Content of ${name}`} />
  );
}

function TextPreview({ name, size, read }: ContentPreviewProps) {
  const isCut = (size ?? 0) > MAX_TEXT;
  const { value: text, error } = useLoaded(
    async (signal) => {
      const init = isCut ? { headers: { Range: `bytes=0-${MAX_TEXT - 1}` } } : {};
      return (await read(signal, init)).text();
    },
    [name],
  );
  if (error !== undefined) return <Problem error={error} />;
  if (text === undefined) return <p class="loading">Loading…</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused */}
      <section class="preview" tabIndex={0} aria-label={`Content of ${name}`}>
        <pre>{text}</pre>
      </section>
      {isCut && <p class="hint">The beginning. The download has all of it.</p>}
    </>
  );
}

/** Writes a number of bytes for people. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const digits = power === 0 ? 0 : 1;
  return `${(bytes / 1000 ** power).toFixed(digits)} ${units[power]}`;
}
