/** Values of `WWW-Authenticate`. */
export const BASIC = 'Basic realm="pathpool", charset="UTF-8"';

/** The parameters of RFC 6750 section 3. Their values have no quotes and no backslashes. */
export interface BearerError {
  readonly error: 'invalid_token' | 'insufficient_scope';
  readonly description: string;
  /** The scope that would be enough. */
  readonly scope?: string | undefined;
}

export function bearerChallenge(failed?: BearerError): string {
  const parameters = ['realm="pathpool"'];
  if (failed) {
    parameters.push(`error="${failed.error}"`, `error_description="${failed.description}"`);
    if (failed.scope !== undefined) parameters.push(`scope="${failed.scope}"`);
  }
  return `Bearer ${parameters.join(', ')}`;
}
