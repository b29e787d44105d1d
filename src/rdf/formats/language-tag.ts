const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** Whether a text has the form of a language tag, as in the grammar of Turtle. */
export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}
