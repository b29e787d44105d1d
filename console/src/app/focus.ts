/** Where the keyboard is, for people who do not see that the content has changed. */

/** Whether an element has the focus. The body has it when the element that had it is gone. */
export function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** Moves the focus to the heading of the page, which screen readers then read, and shows it. */
export function focusHeading(): void {
  const heading =
    document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}
