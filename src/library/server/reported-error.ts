/** Why a server did not start, did not reload, or did not close in order. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /**
   * - `bad-option`: an option is unknown, or its value is not allowed
   * - `data-locked`: another server has the data directory open
   * - `data-damaged`: the data directory is damaged; the option `recover` opens it nevertheless
   * - `start-failed`: another reason, such as a port that is in use
   * - `reload-failed`: files or options could not be taken over by the running server
   * - `close-failed`: parts could not be closed
   *
   * or a code of the HTTP interface, such as `parse-error` for a file of `load`.
   */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
