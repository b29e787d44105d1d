/** Maximum characters of a target in the log: a target may contain a program. */
const MAX_LENGTH = 2048;

/**
 * The password in a URI with user information, percent-encoded or not, such as
 * `uri=http://anna:secret@example.org/`.
 */
const password =
  /((?::|%3a)(?:\/\/|%2f%2f)(?:(?!%3a|%2f|%40)[^/?#&@:])*)(?::|%3a)(?:(?!%2f|%40)[^/?#&@])*(?=@|%40)/gi;

/** Returns a request's target for the log. Passwords are masked, and long targets are truncated. */
export function shownTarget(target: string): string {
  const shown = /@|%40/.test(target) ? target.replaceAll(password, '$1:***') : target;
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}
