/** Light or dark: as the system says, unless the user has chosen. */

export type Theme = 'light' | 'dark';

const KEY = 'pathpool.theme';
const CHANGED = 'pathpool:theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return prefersDark.matches ? 'dark' : 'light';
}

/** Shows the current theme, and follows the system from now on. */
export function startTheme(): void {
  showTheme();
  prefersDark.addEventListener('change', showTheme);
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  showTheme();
}

/** Calls the listener when the theme changes, for canvases. Returns what ends that. */
export function onThemeChange(listener: () => void): () => void {
  addEventListener(CHANGED, listener);
  return () => removeEventListener(CHANGED, listener);
}

function showTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme();
  dispatchEvent(new Event(CHANGED));
}
