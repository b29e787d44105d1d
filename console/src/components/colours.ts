import { useEffect, useState } from 'preact/hooks';
import { currentTheme, onThemeChange, type Theme } from '../app/theme.ts';

/** Returns a colour of the theme, such as `--accent`, for what is drawn on a canvas. */
export function colourOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}

/** The theme, so that what is drawn on a canvas is drawn again when it changes. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(currentTheme);
  useEffect(() => onThemeChange(() => setTheme(currentTheme())), []);
  return theme;
}
