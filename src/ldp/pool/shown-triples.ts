import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { MembershipConfiguration } from '../model/kinds.ts';
import { parentOf } from '../model/names.ts';
import { showsLdp } from '../model/visibility.ts';
import { dcterms } from '../model/vocabulary.ts';
import { LDP_MEMBER } from '../registry.ts';
import { configurationOf, membershipTriple } from '../store/membership.ts';
import type { ManagedPattern } from './managed-patterns.ts';

/**
 * Which managed triples a client sees (http-api G-163): containment of children that it sees, and
 * membership that such a child of a container that it sees has led to. It sees no modification
 * date, since hidden children and members change that.
 */
export class ShownTriples {
  readonly #reader: SnapshotReader;
  readonly #visible: IriPatterns | undefined;
  readonly #configurations = new Map<string, MembershipConfiguration | null>();

  /** `visible`: undefined for a client that sees everything. */
  constructor(reader: SnapshotReader, visible: IriPatterns | undefined) {
    this.#reader = reader;
    this.#visible = visible;
  }

  /** Whether the client sees an existing triple of a pattern's sort. */
  has({ part, predicate }: ManagedPattern, subject: TermId, verb: TermId, object: TermId): boolean {
    if (this.#visible === undefined) return true;
    if (part === 'containment') return showsLdp(this.#visible, this.#name(object));
    if (part === 'membership') return this.#hasMembership(subject, verb, object);
    return predicate !== dcterms.modified;
  }

  showsResource(uri: string): boolean {
    return showsLdp(this.#visible, uri);
  }

  #hasMembership(subject: TermId, verb: TermId, object: TermId): boolean {
    const triple = [subject, verb, object].map((id) => this.#reader.text(id)).join(' ');
    const isOf = (member: TermId) =>
      this.#childrenOf(member).some((child) => this.#makes(child, this.#name(member), triple));
    return isOf(object) || isOf(subject);
  }

  /** Returns the children that a resource was made a member for. */
  #childrenOf(member: TermId): string[] {
    const { registry } = this.#reader;
    const found: TermId[] = [];
    registry.subjects(registry.find(LDP_MEMBER), member, found);
    return found.map((child) => this.#name(child));
  }

  #makes(child: string, member: string, triple: string): boolean {
    const container = parentOf(child);
    if (!this.showsResource(child) || !this.showsResource(container)) return false;
    let configuration = this.#configurations.get(container);
    if (configuration === undefined) {
      configuration = configurationOf(this.#reader, container);
      this.#configurations.set(container, configuration);
    }
    return configuration !== null && membershipTriple(configuration, member).join(' ') === triple;
  }

  #name(id: TermId): string {
    return parseTerm(this.#reader.text(id)).value;
  }
}
