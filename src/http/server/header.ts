export type Header = readonly [name: string, value: string];

/** For responses that are a line of text. */
export const plainText: Header = ['Content-Type', 'text/plain; charset=utf-8'];
