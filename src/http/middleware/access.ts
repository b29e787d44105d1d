import type { GraphAccess } from '../../base/graph-access.ts';
import { type ErrorData, errorData } from '../../errors.ts';
import type { HttpRequest } from '../server/message.ts';
import { onlyReads } from '../server/only-reads.ts';
import { AddressLimit } from './address-limit.ts';
import { BASIC, type BearerError, bearerChallenge } from './challenges.ts';
import { isPreflight } from './cors.ts';
import type { Credential, Role } from './credentials.ts';
import type { GivenToken, TokenLogins } from './jwt/token-logins.ts';
import { type GivenLogin, PasswordLogins } from './password-logins.ts';
import type { GraphRules } from './permissions/graph-rules.ts';
import type { Principal } from './principal.ts';
import { isConsole, isForUsers } from './probes.ts';

export interface AccessOptions {
  /** Whether requests that need only the role `read` are open to everybody. */
  readonly publicRead: boolean;
  /** Failed logins allowed per client address and minute. */
  readonly failedLogins: number;
}

type Verdict = ErrorData | undefined;
interface CheckedRequest extends Pick<HttpRequest, 'method' | 'path' | 'header' | 'remoteAddress'> {
  user: string | undefined;
  access: GraphAccess | undefined;
}

/** What clients are identified by, and what each of them may do. */
export interface Identification {
  readonly credentials: readonly Credential[];
  readonly tokens?: TokenLogins | undefined;
  /** Undefined if everybody who may read, or write, may do so in all graphs. */
  readonly rules?: GraphRules | undefined;
}

/** Credentials as a request has them. */
type Given =
  | { readonly kind: 'token'; readonly token: GivenToken; readonly logins: TokenLogins }
  | { readonly kind: 'password'; readonly login: GivenLogin; readonly logins: PasswordLogins };

/**
 * Authentication and authorisation (G-4). If neither credentials nor tokens are configured,
 * `Authorization` is ignored, and everybody may do everything that rules about graphs, if there are
 * some, allow everybody.
 */
export class AccessPolicy {
  readonly #options: AccessOptions;
  readonly #failures: AddressLimit;
  #passwords: PasswordLogins;
  #tokens: TokenLogins | undefined;
  #rules: GraphRules | undefined;
  #base: string | undefined;

  constructor({ credentials, tokens, rules }: Identification, options: AccessOptions) {
    this.#options = options;
    this.#failures = new AddressLimit(options.failedLogins / 60, options.failedLogins);
    this.#passwords = new PasswordLogins(credentials, this.#failures);
    this.#tokens = tokens;
    this.#rules = rules;
  }

  /** Whether there are rules about graphs. */
  get hasRules(): boolean {
    return this.#rules !== undefined;
  }

  /** Until it is called, nobody may do anything where rules about graphs decide. */
  useBase(base: string): void {
    this.#base = base;
    this.#rules?.resolve(base);
  }

  /** Whether there is anything to authenticate with. */
  get isGuarded(): boolean {
    return this.#passwords.size > 0 || this.#tokens !== undefined;
  }

  get tokens(): TokenLogins | undefined {
    return this.#tokens;
  }

  /**
   * Replaces credentials, tokens and rules. Requests that have been admitted go on. Passwords that
   * have been verified, and that are still right, need not be verified again.
   */
  replace({ credentials, tokens, rules }: Identification): void {
    this.#passwords = new PasswordLogins(credentials, this.#failures, this.#passwords);
    if (tokens?.keys !== this.#tokens?.keys) this.#tokens?.keys.close();
    this.#tokens = tokens;
    this.#rules = rules;
    if (this.#base !== undefined) rules?.resolve(this.#base);
  }

  close(): void {
    this.#tokens?.keys.close();
  }

  /**
   * Returns why the request is rejected: `unauthorized`, `forbidden`, `too-many-requests` (failed
   * logins), `overloaded` or `keys-unavailable`; undefined if it is allowed. The result is
   * synchronous except when the credentials have not been verified before. Sets `user` if the
   * credentials are right, and `access` for graphs. If the request needs no credentials and there
   * are no rules about graphs, credentials are recognised when they were verified before, and
   * ignored otherwise. `needed`: the role that the request needs, if its head does not show it.
   */
  check(
    request: CheckedRequest,
    needed: Role = onlyReads(request) ? 'read' : 'write',
  ): Verdict | Promise<Verdict> {
    request.access = this.#rules?.accessOf(undefined);
    if (!this.isGuarded || isPreflight(request)) return undefined;
    const isOpen = needed === 'read' && this.#isOpen(request.path);
    const required = isOpen ? undefined : needed;
    const given = this.#read(request.header('authorization'));
    if (given === undefined) {
      if (isOpen) return undefined;
      const message = 'This request needs credentials.';
      return errorData('unauthorized', message, { challenges: this.#challenges(request) });
    }
    const known = identify(given);
    if (isOpen && (!this.#rules || isConsole(request.path))) {
      return known && this.#admit(request, known, required);
    }
    return known ? this.#admit(request, known, required) : this.#verify(given, request, required);
  }

  /** Whether requests that only read a path are open to everybody. */
  #isOpen(path: string): boolean {
    return this.#options.publicRead ? !isForUsers(path) : isConsole(path);
  }

  async #verify(given: Given, request: CheckedRequest, needed: Role | undefined): Promise<Verdict> {
    const { remoteAddress } = request;
    const result =
      given.kind === 'token'
        ? await given.logins.verify(given.token, remoteAddress)
        : await given.logins.verify(given.login, remoteAddress);
    if (result.ok) return this.#admit(request, result.value, needed);
    const { error } = result;
    if (error.code !== 'unauthorized') return error;
    const { message: description } = error;
    const failed = given.kind === 'token' ? ({ error: 'invalid_token', description } as const) : undefined;
    return { ...error, details: { challenges: this.#challenges(request, failed) } };
  }

  /**
   * Reads `Basic` with the base64 of `name:password` (RFC 7617), or `Bearer` with a JSON Web Token
   * or `name.password` (RFC 6750). Undefined if it is neither.
   */
  #read(header: string | undefined): Given | undefined {
    const match = /^(basic|bearer) +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(header ?? '');
    if (!match) return undefined;
    const logins = this.#passwords;
    const basic = match[1]!.toLowerCase() === 'basic';
    const text = basic ? Buffer.from(match[2]!, 'base64').toString() : match[2]!;
    const end = text.indexOf(basic ? ':' : '.');
    const name = text.slice(0, Math.max(0, end));
    const token = basic || logins.has(name) ? undefined : this.#tokens?.read(text);
    if (token) return { kind: 'token', token, logins: this.#tokens! };
    if (end === -1) return undefined;
    return { kind: 'password', login: { name, password: text.slice(end + 1) }, logins };
  }

  /** `needed`: undefined if everybody may make the request. */
  #admit(request: CheckedRequest, principal: Principal, needed: Role | undefined): Verdict {
    const { role } = principal;
    // A token that allows nothing is worth no more than no token.
    if (needed === undefined) return role && this.#recognise(request, principal);
    this.#recognise(request, principal);
    if (role === 'write' || (role === 'read' && needed === 'read')) return undefined;
    if (principal.kind === 'password') return errorData('forbidden', 'These credentials allow reading only.');
    const description = `This token does not allow ${needed === 'read' ? 'reading' : 'writing'}.`;
    const scope = this.#tokens?.scopeFor(needed);
    const challenge = bearerChallenge({ error: 'insufficient_scope', description, scope });
    return errorData('forbidden', description, { challenges: [challenge] });
  }

  #recognise(request: CheckedRequest, principal: Principal): undefined {
    request.user = principal.name;
    request.access = this.#rules?.accessOf(principal);
  }

  /**
   * Returns a challenge for each scheme that could succeed. Scripts of pages say by a header that
   * they ask for passwords themselves; a challenge would have the browser ask for one, too.
   */
  #challenges(request: Pick<CheckedRequest, 'header'>, failed?: BearerError): string[] {
    const bearer = bearerChallenge(failed);
    const isScript = request.header('x-requested-with')?.toLowerCase() === 'xmlhttprequest';
    return this.#passwords.size > 0 && !isScript ? [BASIC, bearer] : [bearer];
  }
}

function identify(given: Given): Principal | undefined {
  return given.kind === 'token' ? given.logins.identify(given.token) : given.logins.identify(given.login);
}
