/** The most work for V8's own search: the product of two lengths. It takes a few milliseconds. */
const MAX_PRODUCT = 2 ** 25;

/**
 * Like `String.indexOf`, whose time may grow with the product of the lengths, but in linear time.
 */
export function indexOf(text: string, part: string): number {
  if (text.length * part.length <= MAX_PRODUCT) return text.indexOf(part);
  return linearIndexOf(text, part);
}

/** The algorithm of Knuth, Morris and Pratt. */
function linearIndexOf(text: string, part: string): number {
  const borders = bordersOf(part);
  let matched = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
    if (part.charCodeAt(matched) === unit) matched++;
    if (matched === part.length) return i + 1 - matched;
  }
  return -1;
}

/**
 * Returns, for each prefix of a text, the length of its longest proper prefix that is also a
 * suffix.
 */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let i = 1; i < part.length; i++) {
    const unit = part.charCodeAt(i);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1]!;
    if (part.charCodeAt(length) === unit) length++;
    borders[i] = length;
  }
  return borders;
}
