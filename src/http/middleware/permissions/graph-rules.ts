import type { GraphAccess } from '../../../base/graph-access.ts';
import { iriPatterns, matchesAll } from '../../../rdf/model/resources/iri-patterns.ts';
import type { Role } from '../credentials.ts';
import { parseClaimRule } from '../jwt/claim-rule.ts';
import type { NotedClaim } from '../jwt/token-logins.ts';
import type { Principal } from '../principal.ts';

/** The clients that a rule is about. */
type Who =
  | { readonly kind: 'public' }
  | { readonly kind: 'users' }
  | { readonly kind: 'user'; readonly name: string }
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'claim'; readonly claim: NotedClaim };

/** One line of a file of rules. */
export interface GraphRule {
  readonly right: Role;
  readonly who: Who;
  /** Absolute, or below the base if they begin with a slash. */
  readonly patterns: readonly string[];
}

const MAX_RULES = 10_000;
const WHO = 'public, users, user:NAME, role:read, role:write or claim:CLAIM=VALUE';

/**
 * Reads rules, one a line: `read` or `write`, who, and the graphs (http-api 1.19). Empty lines and
 * those that begin with `#` are skipped. Throws an error that names the line and the mistake.
 */
export function parseGraphRules(text: string): GraphRule[] {
  const rules: GraphRule[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    try {
      rules.push(parseRule(line));
    } catch (error) {
      throw new Error(`line ${index + 1}: ${(error as Error).message}`);
    }
  }
  if (rules.length > MAX_RULES) throw new Error(`there are more than ${MAX_RULES} rules`);
  return rules;
}

function parseRule(line: string): GraphRule {
  const [right, who = '', ...patterns] = line.trim().split(/\s+/);
  if (right !== 'read' && right !== 'write') throw new Error("it must begin with 'read' or 'write'");
  if (patterns.length === 0) {
    throw new Error(`after '${right}' come who may do it (${WHO}) and at least one graph`);
  }
  for (const pattern of patterns) checkPattern(pattern);
  return { right, who: parseWho(who), patterns };
}

function parseWho(text: string): Who {
  if (text === 'public' || text === 'users') return { kind: text };
  const end = text.indexOf(':');
  const kind = text.slice(0, Math.max(0, end));
  const rest = text.slice(end + 1);
  if (kind === 'user' && rest !== '') return { kind, name: rest };
  if (kind === 'role' && (rest === 'read' || rest === 'write')) return { kind, role: rest };
  const rule = kind === 'claim' ? parseClaimRule(rest) : undefined;
  if (rule) return { kind: 'claim', claim: { rule, text: rest } };
  throw new Error(`'${text}' must be ${WHO}`);
}

function checkPattern(pattern: string): void {
  const star = pattern.indexOf('*');
  if (star !== -1 && star < pattern.length - 1) {
    throw new Error(`'${pattern}' has a * before its end`);
  }
  if (!/^(\*$|\/|[a-z][a-z0-9+.-]*:)/i.test(pattern) || /[<>"{}|\\^`]/.test(pattern)) {
    throw new Error(`'${pattern}' must be *, an absolute IRI, or a path below the base such as /context/a*`);
  }
}

/**
 * Which graphs each client may read and write. What no rule grants is denied. Until the base is
 * known everything is.
 */
export class GraphRules {
  readonly #rules: readonly GraphRule[];
  #base: string | undefined;
  /** By the rules that apply: there are as many entries as kinds of clients. */
  readonly #known = new Map<string, GraphAccess | undefined>();

  constructor(rules: readonly GraphRule[]) {
    this.#rules = rules;
  }

  /** The claims of tokens that rules are about. */
  get claims(): NotedClaim[] {
    return this.#rules.flatMap(({ who }) => (who.kind === 'claim' ? [who.claim] : []));
  }

  /** `base`: without a trailing slash. */
  resolve(base: string): this {
    this.#base = base;
    this.#known.clear();
    return this;
  }

  /** Returns undefined for a client that may do everything. `principal`: undefined without one. */
  accessOf(principal: Principal | undefined): GraphAccess | undefined {
    const applying: number[] = [];
    this.#rules.forEach(({ who }, index) => {
      if (concerns(who, principal)) applying.push(index);
    });
    const key = applying.join(' ');
    if (!this.#known.has(key)) this.#known.set(key, this.#combine(applying));
    return this.#known.get(key);
  }

  #combine(applying: readonly number[]): GraphAccess | undefined {
    const base = this.#base;
    const rules = base === undefined ? [] : applying.map((index) => this.#rules[index]!);
    const patterns = (chosen: readonly GraphRule[]) =>
      iriPatterns(
        chosen.flatMap((rule) => rule.patterns).map((each) => (each.startsWith('/') ? base + each : each)),
      );
    const access = { read: patterns(rules), write: patterns(rules.filter(({ right }) => right === 'write')) };
    return matchesAll(access.write) ? undefined : access;
  }
}

function concerns(who: Who, principal: Principal | undefined): boolean {
  switch (who.kind) {
    case 'public':
      return true;
    case 'users':
      return principal !== undefined;
    case 'user':
      return principal?.name === who.name;
    case 'role':
      return principal?.role === who.role;
    case 'claim':
      return principal?.claims?.includes(who.claim.text) ?? false;
  }
}
