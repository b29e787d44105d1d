/** Characters of a target that the log shows: programs may come in it. */
const MAX_LENGTH = 2048;

/** The password of a URI with user information, percent-encoded or not, as in `uri=http://anna:secret@example.org/`. */
const password =
  /((?::|%3a)(?:\/\/|%2f%2f)(?:(?!%3a|%2f|%40)[^/?#&@:])*)(?::|%3a)(?:(?!%2f|%40)[^/?#&@])*(?=@|%40)/gi;

/** A request's target as the log shows it: without passwords, and cut when it is long. */
export function shownTarget(target: string): string {
  const shown = /@|%40/.test(target) ? target.replaceAll(password, '$1:***') : target;
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}
