import type { SaxesAttributeNSIncomplete } from 'saxes';
import type { UnfoldingBudget } from '../unfolding-budget.ts';
import { EXPANDS, type Place } from './triples.ts';

/** The maximum nesting of elements. */
export const MAX_DEPTH = 1024;

/** The most bytes that the entities of a document may expand to. */
const MAX_ENTITY_BYTES = 16 * 1024 * 1024;

/* The work of the parser, in units of the budget. The factors were measured. */
/** A namespace that may have to be compared to resolve a name, and a character of its prefix. */
const BINDING = 1 / 16;
const PREFIX = 1 / 32;
/** An element around a name that may declare its prefix: the parser asks one after the other. */
const LEVEL = 1 / 2;
/**
 * A character of all names of a tag's attributes, and of the namespaces that they may stand for:
 * the parser compares them.
 */
const COMPARED = 1 / 64;
/** The hash of a longer string depends on its length only, so all names of a tag are compared. */
const HASHED = 16_000;
/** A byte of an entity's text, for each use. */
const ENTITY = 1 / 8;
/** A character of the base that an attribute may be resolved against. */
const BASE = 1 / 64;

/** The settings that are in force within an element. */
interface Scope {
  namespaces: number;
  /** Characters of their prefixes, of their whole declarations, and of the longest namespace. */
  prefixes: number;
  declarations: number;
  longest: number;
  base: number;
}

/**
 * Adds up the work that attributes, namespaces, nesting and entities cause in the parser: much of
 * it grows with products of their numbers. Each method is called before the parser does the work,
 * and rejects the document if the budget does not cover it.
 */
export class XmlLimits {
  readonly #place: Place;
  readonly #budget: UnfoldingBudget;
  /** The scopes of the open elements. */
  readonly #scopes: Scope[] = [{ namespaces: 2, prefixes: 8, declarations: 0, longest: 0, base: 0 }];
  /** Number of attributes of the last start tag, characters of their names, and of the longest. */
  #attributes = 0;
  #names = 0;
  #longestName = 0;
  /** The units that it has cost so far. */
  #spent = 0;
  #entityBytes = 0;

  constructor(place: Place, budget: UnfoldingBudget) {
    this.#place = place;
    this.#budget = budget;
  }

  /** Number of open elements. */
  get depth(): number {
    return this.#scopes.length - 1;
  }

  /** Records the name of a start tag. */
  open(): void {
    this.#scopes.push(this.#scopes.at(-1)!);
    this.#attributes = 0;
    this.#names = 0;
    this.#longestName = 0;
    this.#spent = 0;
    this.#spendTag();
  }

  /** Records an attribute of the last start tag. */
  attribute({ name, prefix, value }: SaxesAttributeNSIncomplete): void {
    this.#attributes++;
    this.#names += name.length;
    this.#longestName = Math.max(this.#longestName, name.length);
    if (name === 'xmlns' || prefix === 'xmlns') this.#declare(name.length, value.length);
    else if (name === 'xml:base') this.#own().base = value.length;
    this.#spendTag();
  }

  #declare(name: number, namespace: number): void {
    const scope = this.#own();
    scope.namespaces++;
    scope.prefixes += name;
    scope.declarations += name + namespace;
    scope.longest = Math.max(scope.longest, namespace);
  }

  /** Returns the scope of the last start tag, which it shares with its parent until it differs. */
  #own(): Scope {
    const scopes = this.#scopes;
    if (scopes.at(-1) === scopes.at(-2)) scopes.push({ ...scopes.pop()! });
    return scopes.at(-1)!;
  }

  close(): void {
    this.#scopes.pop();
  }

  /** Records the use of an entity whose text has so many bytes. */
  expand(bytes: number): void {
    this.#entityBytes += bytes;
    if (this.#entityBytes > MAX_ENTITY_BYTES) {
      this.#place.tooLarge(`Entities expand to more than ${MAX_ENTITY_BYTES} bytes`);
    }
    this.#spend(ENTITY * bytes);
  }

  #spendTag(): void {
    const { namespaces, prefixes, declarations, longest, base } = this.#scopes.at(-1)!;
    const attributes = this.#attributes;
    const resolving = BINDING * namespaces + PREFIX * prefixes + LEVEL * this.depth;
    const compared = COMPARED * (this.#names + declarations);
    const name = longest + this.#longestName;
    const pairs = name > HASHED ? COMPARED * name * (attributes ** 2 / 2) : 0;
    const units = (1 + attributes) * resolving + attributes * (compared + BASE * base) + pairs;
    const added = units - this.#spent;
    this.#spent = units;
    this.#spend(added);
  }

  #spend(units: number): void {
    if (!this.#budget.covers(units)) this.#place.tooLarge(EXPANDS);
  }
}
