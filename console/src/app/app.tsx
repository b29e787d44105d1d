import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { Problem } from '../components/problem.tsx';
import { focusHeading, hasFocus } from './focus.ts';
import { Header } from './header.tsx';
import { followLinks, type Place, usePlace } from './location.ts';
import { pages } from './pages.ts';
import { SignInDialog } from './sign-in-dialog.tsx';

const FIRST_PAGE = 'playground';

/** The frame around all pages. */
export function App() {
  const place = usePlace();
  const { page: name } = place;
  const page = pages.find((each) => each.name === (name || FIRST_PAGE));
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  useEffect(() => {
    document.title = page ? `${page.title} · Pathpool` : 'Pathpool';
  }, [page]);
  const isFirst = useIsFirst(name);
  useLostFocus(place);
  return (
    <>
      <button type="button" class="skip-link" onClick={focusContent}>
        Skip to the content
      </button>
      <Header current={page?.name} />
      <main id="content" tabIndex={-1}>
        {page ? (
          <LoadedPage key={page.name} load={page.load} isFirst={isFirst} />
        ) : (
          <MissingPage name={name} />
        )}
      </main>
      <SignInDialog />
    </>
  );
}

function focusContent(): void {
  document.getElementById('content')?.focus();
}

/** Whether the page is the one with which the console was opened. */
function useIsFirst(name: string): boolean {
  const first = useRef<string | undefined>(name);
  if (first.current !== name) first.current = undefined;
  return first.current === name;
}

/** A link that was followed may be gone: the keyboard goes on at the beginning of what is new. */
function useLostFocus(place: Place): void {
  const first = useRef(place);
  useEffect(() => {
    if (place !== first.current && !hasFocus()) focusHeading();
  }, [place]);
}

type Loading = { readonly page?: ComponentType; readonly error?: unknown };

interface LoadedPageProps {
  readonly load: () => Promise<ComponentType>;
  /** Whether the browser opened the page itself, and thus told the user. */
  readonly isFirst: boolean;
}

function LoadedPage({ load, isFirst }: LoadedPageProps) {
  const [{ page: Page, error }, setLoading] = useState<Loading>({});
  const [fault] = useErrorBoundary();
  useEffect(() => {
    if (!isFirst && Page) focusHeading();
  }, [Page]);
  useEffect(() => {
    load().then(
      (page) => setLoading({ page }),
      (reason: unknown) => setLoading({ error: reason }),
    );
  }, [load]);
  if (error !== undefined) return <Unloaded />;
  if (fault !== undefined) return <Faulty fault={fault} />;
  return Page ? <Page /> : <p class="loading">Loading…</p>;
}

/** The scripts of a page are missing where another version of the server has replaced them. */
function Unloaded() {
  return (
    <>
      <h1>The page cannot be loaded</h1>
      <p role="alert">The server cannot be reached, or it has another version of the console now.</p>
      <ReloadButton />
    </>
  );
}

/** A fault of the console, which must not leave an empty page. */
function Faulty({ fault }: { readonly fault: unknown }) {
  return (
    <>
      <h1>The page has failed</h1>
      <Problem error={fault instanceof Error ? fault.message : fault} />
      <p>This is a fault of the console. The data on the server are not affected.</p>
      <ReloadButton />
    </>
  );
}

function ReloadButton() {
  return (
    <button type="button" onClick={() => location.reload()}>
      Load the page again
    </button>
  );
}

function MissingPage({ name }: { readonly name: string }) {
  return (
    <>
      <h1>No such page</h1>
      <p>
        The console has no page named <code>{name}</code>. <a href={FIRST_PAGE}>Go to the playground</a>.
      </p>
    </>
  );
}
