/**
 * Returns a name without the dots at its end, which belong to the text after it. An escaped dot is
 * part of the name.
 */
export function withoutFinalDots(name: string): string {
  let end = name.length;
  while (name[end - 1] === '.' && name[end - 2] !== '\\') end--;
  return name.slice(0, end);
}
