import { useEffect, useState } from 'preact/hooks';
import { pages } from './pages.ts';
import { askForCredentials, isSignedIn, onSessionChange, signOut } from './session.ts';
import { chooseTheme, currentTheme, onThemeChange } from './theme.ts';

/** The navigation, and the buttons that every page has. */
export function Header({ current }: { readonly current: string | undefined }) {
  return (
    <header class="header">
      <a class="brand" href="playground">
        Pathpool
      </a>
      <nav aria-label="Pages">
        <ul>
          {pages
            .filter(({ listed }) => listed)
            .map(({ name, title }) => (
              <li key={name}>
                <a href={name} aria-current={name === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <div class="header-buttons">
        <SessionButton />
        <ThemeButton />
      </div>
    </header>
  );
}

function SessionButton() {
  const [signedIn, setSignedIn] = useState(isSignedIn);
  useEffect(() => onSessionChange(() => setSignedIn(isSignedIn())), []);
  return signedIn ? (
    <button type="button" class="quiet" onClick={signOut}>
      Sign out
    </button>
  ) : (
    <button
      type="button"
      class="quiet"
      onClick={() => void askForCredentials('Requests will carry these credentials.')}
    >
      Sign in
    </button>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => onThemeChange(() => setTheme(currentTheme())), []);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Use ${other} colours`}
      onClick={() => chooseTheme(other)}
    >
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  );
}
