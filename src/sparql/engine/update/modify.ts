import { NewBlankNodes } from '../../../rdf/formats/new-blank-nodes.ts';
import { NO_TERM, type TermId } from '../../../rdf/model/term-id.ts';
import { QuadSet } from '../../../snapshot/runs/quad-set.ts';
import { tooManyChanges, type UpdatedData } from '../../effects/updated-data.ts';
import type { ModifyOperation, TemplateQuad, TemplateTerm } from '../../language/update/operations.ts';
import type { Binding, Bindings } from './bindings.ts';
import type { Solutions } from './solutions.ts';

/** The data of one solution that the templates need. */
interface Solution {
  readonly bindings: readonly (Binding | undefined)[];
  /** By variable: the literals to delete, if its value has several spellings. */
  readonly found: Map<string, Set<TermId>>;
  /** By label. */
  readonly nodes: Map<string, TermId>;
}

type GraphsWith = (subject: TermId, predicate: TermId, object: TermId) => readonly TermId[];

/**
 * Applies `DELETE` and `INSERT` templates to the solutions of a pattern. All removals are
 * determined before anything changes, and are made before the additions.
 *
 * A variable stands for a value. A literal with that value is deleted however it is spelled, and a
 * literal that replaces it in the same solution is spelled like it. A constant means exactly what
 * the text says.
 */
export class Modification {
  readonly #data: UpdatedData;
  readonly #operation: ModifyOperation;
  readonly #bindings: Bindings;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #newNodes = new NewBlankNodes();
  readonly #removed = new QuadSet();
  readonly #added = new QuadSet();
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
    solutions.each((cells) => this.#collect(cells));
    const [removed, added] = [this.#removed.rows(), this.#added.rows()];
    for (let at = 0; at < removed.length; at += 4) {
      this.#data.remove(removed[at]!, removed[at + 1]!, removed[at + 2]!, removed[at + 3]!);
    }
    for (let at = 0; at < added.length; at += 4) {
      this.#add(added[at]!, added[at + 1]!, added[at + 2]!, added[at + 3]!);
    }
    for (const graph of this.#changed) this.#data.dependOn(this.#data.graphName(graph));
  }

  #add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (this.#data.has(subject, predicate, object, graph)) return;
    this.#data.add(subject, predicate, object, graph);
    this.#changed.add(graph);
  }

  #collect(cells: readonly string[]): void {
    const bindings = cells.map((cell) => this.#bindings.read(cell));
    const solution = { bindings, found: new Map(), nodes: new Map() };
    for (const quad of this.#operation.removals) this.#collectRemoval(quad, solution);
    for (const quad of this.#operation.additions) this.#collectAddition(quad, solution);
    const { maxChanges } = this.#data.settings;
    if (this.#removed.size + this.#added.size > MANY_TIMES * maxChanges) {
      throw tooManyChanges(maxChanges);
    }
  }

  #collectRemoval({ subject, predicate, object, graph }: TemplateQuad, solution: Solution): void {
    const s = this.#term(subject, solution);
    const p = this.#term(predicate, solution);
    const o = this.#term(object, solution);
    if (!s || !p || !o || isOnlyObject(s) || p.kind !== 'iri') return;
    const [subjectId, predicateId] = [s.known[0], p.known[0]];
    if (subjectId === undefined || predicateId === undefined || o.known.length === 0) return;
    const graphsWith = this.#matchedGraphs(graph, solution);
    for (const objectId of o.known) {
      for (const graphId of graphsWith(subjectId, predicateId, objectId)) {
        this.#removed.add(subjectId, predicateId, objectId, graphId);
        this.#changed.add(graphId);
        if (object.kind === 'variable' && o.known.length > 1) noteFound(solution, object.name, objectId);
      }
    }
  }

  /** Returns a function that finds those graphs with a triple that a removal matches. */
  #matchedGraphs(graph: TemplateTerm | undefined, solution: Solution): GraphsWith {
    const data = this.#data;
    const { defaultGraphIs, defaultGraph } = data.settings;
    const { withGraph } = this.#operation;
    if (!graph && withGraph === undefined && defaultGraphIs === 'union') {
      return (subject, predicate, object) => data.graphsWith(subject, predicate, object);
    }
    const name = graph ? iriOf(this.#term(graph, solution)) : (withGraph ?? defaultGraph);
    if (name === undefined) return () => [];
    const id = data.graphId(name);
    return (subject, predicate, object) => (data.has(subject, predicate, object, id) ? [id] : []);
  }

  #collectAddition({ subject, predicate, object, graph }: TemplateQuad, solution: Solution): void {
    const { settings, terms } = this.#data;
    const name = graph
      ? iriOf(this.#term(graph, solution))
      : (this.#operation.withGraph ?? settings.defaultGraph);
    const predicateName = iriOf(this.#term(predicate, solution));
    const [subjectId] = this.#idsToAdd(subject, solution, false);
    if (name === undefined || predicateName === undefined || subjectId === undefined) return;
    const predicateId = terms.internText(`<${predicateName}>`);
    const graphId = this.#data.graphId(name);
    for (const objectId of this.#idsToAdd(object, solution, true)) {
      this.#added.add(subjectId, predicateId, objectId, graphId);
    }
  }

  /** Returns no ids if a quad can't have the term in this position. */
  #idsToAdd(term: TemplateTerm, solution: Solution, isObject: boolean): Iterable<TermId> {
    if (term.kind === 'blank') return [this.#newNode(term.label, solution.nodes)];
    const binding = this.#term(term, solution);
    if (!binding || (isOnlyObject(binding) && !isObject)) return [];
    if (term.kind === 'constant') return [this.#data.terms.internText(term.text)];
    return solution.found.get(term.name) ?? [this.#bindings.preferred(binding)];
  }

  #newNode(label: string, nodes: Map<string, TermId>): TermId {
    const known = nodes.get(label);
    if (known !== undefined) return known;
    const node = this.#data.terms.internText(this.#newNodes.next());
    nodes.set(label, node);
    return node;
  }

  #term(term: TemplateTerm, { bindings }: Solution): Binding | undefined {
    if (term.kind === 'blank') return undefined;
    if (term.kind === 'variable') return bindings[this.#columns.get(term.name)!];
    const { text } = term;
    const kind = text.startsWith('<') ? 'iri' : 'literal';
    const id = this.#data.terms.findText(text);
    return { kind, text, known: id === NO_TERM ? [] : [id] };
  }
}

/**
 * The collected quads, including those that change nothing, may be this many times `maxChanges`.
 */
const MANY_TIMES = 4;

function noteFound({ found }: Solution, variable: string, object: TermId): void {
  const others = found.get(variable);
  if (others) others.add(object);
  else found.set(variable, new Set([object]));
}

/** Whether no triple has the value as subject. */
function isOnlyObject({ kind }: Binding): boolean {
  return kind === 'literal' || kind === 'triple';
}

function iriOf(binding: Binding | undefined): string | undefined {
  return binding?.kind === 'iri' ? binding.text.slice(1, -1) : undefined;
}
