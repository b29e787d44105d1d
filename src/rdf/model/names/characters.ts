/*
 * Characters of names in XML and in Turtle, as ranges for regular expressions with the flag `u`.
 */

/** What a name begins with: `PN_CHARS_BASE` of Turtle; in XML, or an underscore. */
export const nameStarts =
  'A-Za-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}' +
  '\\u{2070}-\\u{218f}\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}';

/** The other characters of a name, beside the dot. */
export const nameCharacters = `_${nameStarts}0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}-`;
