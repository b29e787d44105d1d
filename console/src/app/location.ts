/**
 * The address of the console. A page is the last segment of the path, and all pages are siblings,
 * so relative references work below each base.
 */
import { useEffect, useState } from 'preact/hooks';

/** The address of the page that is shown. */
export interface Place {
  /** The name of the page, empty at `/console/`. */
  readonly page: string;
  readonly query: URLSearchParams;
  /**
   * What the fragment says, as in a query. It is not sent to the server, so it may be long, and
   * occurs in no log.
   */
  readonly state: URLSearchParams;
}

/** The event of a change of the address by the console itself. */
export const NAVIGATED = 'pathpool:navigated';

/** The URL of the server, with a slash at its end. */
export const serverUrl = new URL('..', document.baseURI).href;

function currentPlace(): Place {
  const { pathname, search, hash } = location;
  return {
    page: pathname.slice(pathname.lastIndexOf('/') + 1),
    query: new URLSearchParams(search),
    state: new URLSearchParams(hash.slice(1)),
  };
}

/** Returns the address of a page, relative to all pages. */
export function addressOf(
  page: string,
  query: Readonly<Record<string, string>> = {},
  state: Readonly<Record<string, string>> = {},
): string {
  const search = String(new URLSearchParams(query));
  const hash = String(new URLSearchParams(state));
  return `${page}${search && `?${search}`}${hash && `#${hash}`}`;
}

/** Opens an address of the console, as a link does. */
export function navigate(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new Event(NAVIGATED));
}

/** Replaces the address without opening anything, so that it describes what the page shows. */
export function replaceAddress(address: string): void {
  try {
    history.replaceState(history.state, '', address);
  } catch {
    // Browsers limit how long an address is, and how often it changes. The page works without it.
  }
}

/** The place that is shown. It changes with links of the console and the history of the browser. */
export function usePlace(): Place {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = () => setPlace(currentPlace());
    const events = [NAVIGATED, 'popstate', 'hashchange'];
    for (const event of events) addEventListener(event, update);
    return () => {
      for (const event of events) removeEventListener(event, update);
    };
  }, []);
  return place;
}

/** Lets links between pages replace the page without loading the console again. */
export function followLinks(event: MouseEvent): void {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!isPlain || event.defaultPrevented) return;
  const link = event.composedPath().find(isLink);
  const address = link?.getAttribute('href') ?? null;
  if (!link || address === null || link.hasAttribute('target') || link.hasAttribute('download')) return;
  const { href } = new URL(address, document.baseURI);
  const folder = new URL('.', document.baseURI).href;
  const isPage = href.startsWith(folder) && !/[/]/.test(href.slice(folder.length).split(/[?#]/)[0]!);
  if (!isPage) return;
  event.preventDefault();
  navigate(href);
}

/** Also links in drawings. */
function isLink(target: EventTarget): target is HTMLAnchorElement | SVGAElement {
  return target instanceof HTMLAnchorElement || target instanceof SVGAElement;
}
