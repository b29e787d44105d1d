import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../components/problem.tsx';
import { Header } from './header.tsx';
import { followLinks, usePlace } from './location.ts';
import { pages } from './pages.ts';
import { SignInDialog } from './sign-in-dialog.tsx';

const FIRST_PAGE = 'playground';

/** The frame around all pages. */
export function App() {
  const { page: name } = usePlace();
  const page = pages.find((each) => each.name === (name || FIRST_PAGE));
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  useEffect(() => {
    document.title = page ? `${page.title} · Pathpool` : 'Pathpool';
  }, [page]);
  return (
    <>
      <button type="button" class="skip-link" onClick={focusContent}>
        Skip to the content
      </button>
      <Header current={page?.name} />
      <main id="content" tabIndex={-1}>
        {page ? <LoadedPage key={page.name} load={page.load} /> : <MissingPage name={name} />}
      </main>
      <SignInDialog />
    </>
  );
}

function focusContent(): void {
  document.getElementById('content')?.focus();
}

type Loading = { readonly page?: ComponentType; readonly error?: unknown };

function LoadedPage({ load }: { readonly load: () => Promise<ComponentType> }) {
  const [{ page: Page, error }, setLoading] = useState<Loading>({});
  useEffect(() => {
    load().then(
      (page) => setLoading({ page }),
      (reason: unknown) => setLoading({ error: reason }),
    );
  }, [load]);
  if (error !== undefined) return <Problem error={error} />;
  return Page ? <Page /> : <p class="loading">Loading…</p>;
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
