import { NO_TERM, type TermId } from '../../../graph/term-id.ts';
import { NewBlankNodes } from '../../../rdf/new-blank-nodes.ts';
import { tooManyChanges, type UpdatedData } from '../../effects/updated-data.ts';
import type { ModifyOperation, TemplateQuad, TemplateTerm } from '../../language/update/operations.ts';
import type { Binding, Bindings } from './bindings.ts';
import type { Solutions } from './solutions.ts';

/** The terms of a template for one solution. */
type Lookup = (term: TemplateTerm) => Binding | undefined;

/**
 * Does what `DELETE` and `INSERT` say for the solutions of a pattern. All that goes is worked out before anything changes, and
 * goes before anything comes.
 *
 * A variable stands for a value. A literal of that value goes however it is written, and what is written instead for the same
 * solution is written like it. A constant means exactly what the text says.
 */
export class Modification {
  readonly #data: UpdatedData;
  readonly #operation: ModifyOperation;
  readonly #bindings: Bindings;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #newNodes = new NewBlankNodes();
  readonly #removed: number[] = [];
  /** By number of the solution and column: the literals that were found in place of a binding. */
  readonly #found = new Map<string, Set<TermId>>();
  readonly #changed = new Set<TermId>();

  constructor(
    data: UpdatedData,
    operation: ModifyOperation,
    bindings: Bindings,
    variables: readonly string[],
  ) {
    this.#data = data;
    this.#operation = operation;
    this.#bindings = bindings;
    this.#columns = new Map(variables.map((name, column) => [name, column]));
  }

  /** Error `too-large`. */
  apply(solutions: Solutions): void {
    const { removals, additions } = this.#operation;
    if (removals.length > 0) solutions.each((cells, row) => this.#collectRemovals(cells, row));
    const rows = this.#removed;
    for (let at = 0; at < rows.length; at += 4) {
      this.#data.remove(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    }
    if (additions.length > 0) solutions.each((cells, row) => this.#add(cells, row));
    for (const graph of this.#changed) this.#data.dependOn(this.#data.graphName(graph));
  }

  #collectRemovals(cells: readonly string[], row: number): void {
    const lookup: Lookup = (term) => this.#term(term, cells);
    for (const quad of this.#operation.removals) this.#collectRemoval(quad, lookup, row);
    const { maxChanges } = this.#data.settings;
    if (this.#removed.length > 4 * maxChanges) throw tooManyChanges(maxChanges);
  }

  #collectRemoval({ subject, predicate, object, graph }: TemplateQuad, lookup: Lookup, row: number): void {
    const [s, p, o] = [subject, predicate, object].map(lookup);
    if (!s || !p || !o || s.kind === 'literal' || p.kind !== 'iri') return;
    const [subjectId, predicateId] = [s.known[0], p.known[0]];
    if (subjectId === undefined || predicateId === undefined) return;
    for (const objectId of o.known) {
      for (const graphId of this.#graphsToLose(graph, lookup, [subjectId, predicateId, objectId])) {
        this.#removed.push(subjectId, predicateId, objectId, graphId);
        this.#changed.add(graphId);
        if (object.kind === 'variable' && o.kind === 'literal') this.#noteFound(row, object.name, objectId);
      }
    }
  }

  #graphsToLose(
    graph: TemplateTerm | undefined,
    lookup: Lookup,
    triple: readonly [TermId, TermId, TermId],
  ): TermId[] {
    const { defaultGraphIs, defaultGraph } = this.#data.settings;
    const { withGraph } = this.#operation;
    if (!graph && withGraph === undefined && defaultGraphIs === 'union')
      return this.#data.graphsWith(...triple);
    const name = graph ? iriOf(lookup(graph)) : (withGraph ?? defaultGraph);
    if (name === undefined) return [];
    const id = this.#data.graphId(name);
    return this.#data.has(...triple, id) ? [id] : [];
  }

  #noteFound(row: number, variable: string, object: TermId): void {
    const key = `${row} ${variable}`;
    const found = this.#found.get(key);
    if (found) found.add(object);
    else this.#found.set(key, new Set([object]));
  }

  #add(cells: readonly string[], row: number): void {
    const nodes = new Map<string, TermId>();
    const lookup: Lookup = (term) => this.#term(term, cells);
    for (const quad of this.#operation.additions) this.#addQuad(quad, lookup, row, nodes);
  }

  #addQuad(
    { subject, predicate, object, graph }: TemplateQuad,
    lookup: Lookup,
    row: number,
    nodes: Map<string, TermId>,
  ): void {
    const { settings, terms } = this.#data;
    const name = graph ? iriOf(lookup(graph)) : (this.#operation.withGraph ?? settings.defaultGraph);
    const predicateName = iriOf(lookup(predicate));
    const [subjectId] = this.#idsToAdd(subject, lookup, row, nodes, false);
    if (name === undefined || predicateName === undefined || subjectId === undefined) return;
    const predicateId = terms.internText(`<${predicateName}>`);
    const graphId = this.#data.graphId(name);
    for (const objectId of this.#idsToAdd(object, lookup, row, nodes, true)) {
      if (this.#data.has(subjectId, predicateId, objectId, graphId)) continue;
      this.#data.add(subjectId, predicateId, objectId, graphId);
      this.#changed.add(graphId);
    }
  }

  /** None where a quad can't have the term there. */
  #idsToAdd(
    term: TemplateTerm,
    lookup: Lookup,
    row: number,
    nodes: Map<string, TermId>,
    isObject: boolean,
  ): Iterable<TermId> {
    if (term.kind === 'blank') return [this.#newNode(term.label, nodes)];
    const binding = lookup(term);
    if (!binding || (binding.kind === 'literal' && !isObject)) return [];
    if (term.kind === 'constant') return [this.#data.terms.internText(term.text)];
    return this.#found.get(`${row} ${term.name}`) ?? [this.#bindings.preferred(binding)];
  }

  #newNode(label: string, nodes: Map<string, TermId>): TermId {
    const known = nodes.get(label);
    if (known !== undefined) return known;
    const node = this.#data.terms.internText(this.#newNodes.next());
    nodes.set(label, node);
    return node;
  }

  #term(term: TemplateTerm, cells: readonly string[]): Binding | undefined {
    if (term.kind === 'blank') return undefined;
    if (term.kind === 'variable') return this.#bindings.read(cells[this.#columns.get(term.name)!]!);
    const { text } = term;
    const kind = text.startsWith('<') ? 'iri' : 'literal';
    const id = this.#data.terms.findText(text);
    return { kind, text, known: id === NO_TERM ? [] : [id] };
  }
}

function iriOf(binding: Binding | undefined): string | undefined {
  return binding?.kind === 'iri' ? binding.text.slice(1, -1) : undefined;
}
