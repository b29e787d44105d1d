import type { InteractionModel, LdpKind, MembershipConfiguration } from '../../src/ldp/model/kinds.ts';
import { ldp, RDF_TYPE } from '../../src/ldp/model/vocabulary.ts';

export type ModelConfiguration = MembershipConfiguration;

/** Rows are triples without their dot; the subject of all is the target. */
export type ModelChange =
  | {
      readonly kind: 'create';
      readonly target: string;
      readonly model: InteractionModel;
      readonly configuration: ModelConfiguration | null;
      readonly rows: readonly string[];
      /** A letter that stands for the bytes of a binary. */
      readonly content: string | null;
      readonly ancestors: boolean;
    }
  | { readonly kind: 'replace'; readonly target: string; readonly rows: readonly string[] }
  | {
      readonly kind: 'edit';
      readonly target: string;
      readonly rows: readonly string[];
      readonly removals: readonly string[];
    }
  | { readonly kind: 'content'; readonly target: string; readonly content: string }
  | { readonly kind: 'delete'; readonly target: string };

export interface ModelResource {
  readonly kind: LdpKind;
  readonly sequence: number;
  readonly rows: ReadonlySet<string>;
  readonly configuration: ModelConfiguration | null;
  readonly content: string | null;
  /** Membership triples that were made for it. */
  readonly made: readonly string[];
}

type Resources = Map<string, ModelResource | 'gone'>;

const containers: readonly string[] = ['basic', 'direct', 'indirect'];

/**
 * The LDP space as specified, in plain collections. State changes are not computed but observed: a
 * resource has changed if its representation differs from before. Immutable.
 */
export class LdpModelSpace {
  readonly sequence: number;
  readonly #root: string;
  readonly #resources: ReadonlyMap<string, ModelResource | 'gone'>;

  private constructor(
    root: string,
    sequence: number,
    resources: ReadonlyMap<string, ModelResource | 'gone'>,
  ) {
    this.#root = root;
    this.sequence = sequence;
    this.#resources = resources;
  }

  static begin(root: string, sequence: number): LdpModelSpace {
    return new LdpModelSpace(root, sequence, new Map([[root, { ...empty('basic'), sequence }]]));
  }

  get(uri: string): ModelResource | 'gone' | undefined {
    return this.#resources.get(uri);
  }

  uris(): string[] {
    return [...this.#resources.keys()];
  }

  kindOf(uri: string): LdpKind | undefined {
    return live(this.#resources, uri)?.kind;
  }

  apply(change: ModelChange): { readonly code: string; readonly space: LdpModelSpace } {
    const code = this.#codeOf(change);
    if (code !== 'done') return { code, space: this };
    const resources: Resources = new Map(this.#resources);
    perform(resources, change);
    const next = this.sequence + 1;
    let changed = false;
    for (const [uri, resource] of resources) {
      if (resource === 'gone' ? this.get(uri) === 'gone' : !this.#differs(resources, uri)) continue;
      changed = true;
      if (resource !== 'gone') resources.set(uri, { ...resource, sequence: next });
    }
    return { code, space: changed ? new LdpModelSpace(this.#root, next, resources) : this };
  }

  /** Managed triples but for dates, label, format and extent, sorted. */
  triples(): string[] {
    const lines = new Set<string>();
    for (const [uri, resource] of liveOnes(this.#resources)) {
      for (const type of types(resource.kind)) lines.add(`<${uri}> <${RDF_TYPE}> <${type}>`);
      for (const line of configurationLines(uri, resource.configuration)) lines.add(line);
      for (const line of resource.made) lines.add(line);
      if (uri !== this.#root && resource.kind !== 'description') lines.add(containment(uri));
      if (resource.kind !== 'binary') continue;
      lines.add(`<${uri}> <http://purl.org/dc/terms/isFormatOf> <${uri}.meta>`);
      lines.add(`<${uri}.meta> <http://purl.org/dc/terms/hasFormat> <${uri}>`);
    }
    return [...lines].sort();
  }

  /** How many children each membership triple was made for that was made for several, sorted. */
  shared(): number[] {
    const counts = new Map<string, number>();
    for (const [, { made }] of liveOnes(this.#resources)) {
      for (const line of made) counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    return [...counts.values()].filter((count) => count > 1).sort();
  }

  #differs(resources: Resources, uri: string): boolean {
    const before = shown(this.#resources, uri);
    return before === undefined || before !== shown(resources, uri);
  }

  #codeOf(change: ModelChange): string {
    const found = this.get(change.target);
    if (found === 'gone') return 'gone';
    if (change.kind === 'create') return found ? 'precondition-failed' : this.#createCode(change);
    if (!found) return 'resource-not-found';
    if (change.kind === 'delete') {
      if (change.target === this.#root || found.kind === 'description') return 'method-not-allowed';
      return childrenOf(this.#resources, change.target).length > 0 ? 'container-not-empty' : 'done';
    }
    return (change.kind === 'content') === (found.kind === 'binary') ? 'done' : 'type-conflict';
  }

  #createCode({ target, ancestors }: ModelChange & { kind: 'create' }): string {
    let above = parent(target);
    if (!ancestors && this.get(above) === undefined) return 'resource-not-found';
    while (this.get(above) === undefined) above = parent(above);
    const found = this.get(above);
    if (found === 'gone') return 'parent-gone';
    return found && containers.includes(found.kind) ? 'done' : 'parent-not-container';
  }
}

function perform(resources: Resources, change: ModelChange): void {
  const { target } = change;
  const before = live(resources, target);
  switch (change.kind) {
    case 'create':
      performCreate(resources, change);
      return;
    case 'replace':
      resources.set(target, { ...before!, rows: new Set(change.rows) });
      return;
    case 'edit': {
      const kept = [...before!.rows].filter((row) => !change.removals.includes(row));
      resources.set(target, { ...before!, rows: new Set([...kept, ...change.rows]) });
      return;
    }
    case 'content':
      resources.set(target, { ...before!, content: change.content });
      return;
    case 'delete':
      resources.set(target, 'gone');
      if (before?.kind === 'binary') resources.set(`${target}.meta`, 'gone');
  }
}

function performCreate(resources: Resources, change: ModelChange & { kind: 'create' }): void {
  const { target, model, configuration, content, rows } = change;
  const missing: string[] = [];
  for (let above = parent(target); !resources.has(above); above = parent(above)) missing.unshift(above);
  for (const uri of missing) {
    resources.set(uri, { ...empty('basic'), made: madeIn(resources, uri, 'basic', []) });
  }
  const made = madeIn(resources, target, model, rows);
  const own = model === 'binary' ? [] : rows;
  resources.set(target, { ...empty(model), rows: new Set(own), configuration, content, made });
  if (model === 'binary') resources.set(`${target}.meta`, { ...empty('description'), rows: new Set(rows) });
}

function madeIn(
  resources: Resources,
  uri: string,
  model: InteractionModel,
  rows: readonly string[],
): string[] {
  const configuration = live(resources, parent(uri))?.configuration;
  if (!configuration) return [];
  const { membershipResource, relation, inverse, insertedContentRelation } = configuration;
  const objects = rows
    .filter((row) => row.includes(` <${insertedContentRelation}> <`))
    .map((row) => row.split(' ')[2]!);
  const members = insertedContentRelation === null ? [`<${uri}>`] : model === 'binary' ? [] : objects;
  return members.map((member) =>
    inverse
      ? `${member} <${relation}> <${membershipResource}>`
      : `<${membershipResource}> <${relation}> ${member}`,
  );
}

/** What a representation shows, dates left out; undefined for what is not there. */
function shown(resources: ReadonlyMap<string, ModelResource | 'gone'>, uri: string): string | undefined {
  const resource = live(resources, uri);
  if (!resource) return undefined;
  const { kind, rows, content } = resource;
  const described = kind === 'description' ? live(resources, uri.slice(0, -5))?.content : null;
  const lines =
    kind === 'binary' ? [] : [...rows, ...childrenOf(resources, uri), ...memberships(resources, uri)];
  return [kind, content, described, ...lines.sort()].join('\n');
}

/** Membership triples that a resource shows (http-api L-49). */
function memberships(resources: ReadonlyMap<string, ModelResource | 'gone'>, uri: string): string[] {
  const own = live(resources, uri)?.configuration;
  const shows = new Set<string>();
  for (const [child, { made }] of liveOnes(resources)) {
    const by = live(resources, parent(child))?.configuration;
    if (!by || made.length === 0) continue;
    const isOwn = own?.membershipResource === by.membershipResource && own.relation === by.relation;
    for (const line of made) {
      const isMember = by.inverse && line.startsWith(`<${uri}> `);
      if (isOwn || by.membershipResource === uri || isMember) shows.add(line);
    }
  }
  return [...shows];
}

function configurationLines(uri: string, configuration: ModelConfiguration | null): string[] {
  if (!configuration) return [];
  const { membershipResource, relation, inverse, insertedContentRelation } = configuration;
  return [
    `<${uri}> <${ldp.membershipResource}> <${membershipResource}>`,
    `<${uri}> <${inverse ? ldp.isMemberOfRelation : ldp.hasMemberRelation}> <${relation}>`,
    ...(insertedContentRelation === null
      ? []
      : [`<${uri}> <${ldp.insertedContentRelation}> <${insertedContentRelation}>`]),
  ];
}

function types(kind: LdpKind): string[] {
  if (kind === 'binary') return [ldp.Resource, ldp.NonRDFSource];
  const source = [ldp.Resource, ldp.RDFSource];
  if (kind === 'basic') return [...source, ldp.Container, ldp.BasicContainer];
  if (kind === 'direct') return [...source, ldp.Container, ldp.DirectContainer];
  if (kind === 'indirect') return [...source, ldp.Container, ldp.IndirectContainer];
  return source;
}

function childrenOf(resources: ReadonlyMap<string, ModelResource | 'gone'>, uri: string): string[] {
  return liveOnes(resources)
    .filter(([child, { kind }]) => parent(child) === uri && kind !== 'description')
    .map(([child]) => containment(child));
}

function containment(child: string): string {
  return `<${parent(child)}> <${ldp.contains}> <${child}>`;
}

function empty(kind: LdpKind): ModelResource {
  return { kind, sequence: 0, rows: new Set(), configuration: null, content: null, made: [] };
}

function liveOnes(resources: ReadonlyMap<string, ModelResource | 'gone'>): [string, ModelResource][] {
  return [...resources].filter((entry): entry is [string, ModelResource] => entry[1] !== 'gone');
}

function live(
  resources: ReadonlyMap<string, ModelResource | 'gone'>,
  uri: string,
): ModelResource | undefined {
  const found = resources.get(uri);
  return found === 'gone' ? undefined : found;
}

function parent(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}
