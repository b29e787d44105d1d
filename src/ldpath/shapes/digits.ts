/** Numbers with this many digits fit in 32 bits. */
const MAX_DIGITS = 9;

/** Returns the position of the first byte from `from` on that is not a digit. */
export function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

/** Whether digits are a whole literal, and a canonical integer of at most 32 bits. */
export function isShortNumber(bytes: Uint8Array, from: number, to: number): boolean {
  const count = to - from;
  if (bytes[to] !== QUOTE || count === 0 || count > MAX_DIGITS) return false;
  return bytes[from] !== ZERO || count === 1;
}

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
