import type {
  DatasetClauses,
  GraphRef,
  UpdateOperation as Node,
  PatternGroup,
  Quads,
  Update,
  UpdateOperationDeleteWhere,
  UpdateOperationModify,
} from '@traqula/rules-sparql-1-1';
import { AppError } from '../../../errors.ts';
import type { QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { SparqlDataset, SparqlUpdate } from '../../request.ts';
import { positionIn } from '../text-position.ts';
import { cutBlock } from './cut-block.ts';
import { dataBlock } from './data.ts';
import { cutData, type DataCut } from './data-cuts.ts';
import { DeclaredNames, placeOf } from './declared-names.ts';
import { rejectDeep } from './depth.ts';
import { withoutEscapes } from './escapes.ts';
import type { ClearTarget, ModifyOperation, TemplateQuad, UpdateOperation } from './operations.ts';
import { parseUpdate } from './parser.ts';
import { syntaxError } from './syntax-error.ts';
import { firstBlankNode, templateQuads } from './templates.ts';
import { countTriplePatterns } from './triple-patterns.ts';
import { patternFacts } from './where-pattern.ts';

type DataNode = Extract<Node, { readonly subType: 'insertdata' | 'deletedata' }>;

/** Characters. The data of longer updates are read in a faster way. */
const LONG = 64 * 1024;

/** An update with valid syntax. */
export interface UpdateSyntax {
  /** The text without escapes such as `\u0041`. */
  readonly source: string;
  /** `source` without the data that were cut out. `tree` was parsed from it. */
  readonly text: string;
  /** Undefined if nothing was cut out. */
  readonly cuts: readonly DataCut[] | undefined;
  readonly tree: Update;
}

/**
 * Returns the operations of an update, in order. Errors: those of `syntaxOf` and `operationsOf`.
 */
export function readUpdate(update: SparqlUpdate): UpdateOperation[] {
  return operationsOf(syntaxOf(update.text), update);
}

/** Errors: `parse-error` with line and column, `too-large`. */
export function syntaxOf(written: string): UpdateSyntax {
  const source = withoutEscapes(written);
  const { text, cuts } = source.length > LONG ? cutData(source) : { text: source, cuts: undefined };
  rejectDeep(text);
  return { source, text, cuts, tree: parseUpdate(text) };
}

/**
 * Returns the operations of an update, in order. Errors: `parse-error` with line and column,
 * `unsupported-sparql`, `too-large`, and `bad-query` if both the request and the text name graphs.
 */
export function operationsOf(
  { source, text, cuts, tree }: UpdateSyntax,
  { baseIri, dataset }: Pick<SparqlUpdate, 'baseIri' | 'dataset'>,
): UpdateOperation[] {
  const names = new DeclaredNames(text, baseIri);
  const data = new DataReader(source, cuts, text);
  const operations: UpdateOperation[] = [];
  for (const { context, operation } of tree.updates) {
    names.declare(context);
    if (operation) operations.push(new OperationReader(text, names, dataset, data).read(operation));
  }
  data.finish();
  return operations;
}

/** Reads the data of operations, in place or from the parts that were cut out. */
class DataReader {
  readonly #source: string;
  readonly #cuts: readonly DataCut[] | undefined;
  readonly #text: string;
  #used = 0;

  /** `cuts`: undefined if nothing was cut out of the text. */
  constructor(source: string, cuts: readonly DataCut[] | undefined, text: string) {
    this.#source = source;
    this.#cuts = cuts;
    this.#text = text;
  }

  read(node: DataNode, names: DeclaredNames): QuadBlock {
    if (!this.#cuts) return this.#block(node, names);
    const cut = this.#cuts[this.#used++];
    const { start, end } = placeOf(node);
    const verb = node.subType === 'insertdata' ? 'INSERT' : 'DELETE';
    if (cut?.verb !== verb || cut.at < start || cut.at > end) throw this.#mismatch(start);
    return cutBlock(cut, this.#source, names.prologue(cut.prefixes));
  }

  #block({ subType, data }: DataNode, names: DeclaredNames): QuadBlock {
    if (subType === 'deletedata') rejectBlankNodes(data, this.#text);
    return dataBlock(data, names, this.#text);
  }

  /** Throws `parse-error` if not all cuts have been read. */
  finish(): void {
    const cut = this.#cuts?.[this.#used];
    if (cut) throw this.#mismatch(cut.at);
  }

  #mismatch(offset: number): AppError {
    return syntaxError('Cannot determine which data belong to this operation', this.#text, offset);
  }
}

class OperationReader {
  readonly #text: string;
  readonly #names: DeclaredNames;
  readonly #dataset: SparqlDataset | undefined;
  readonly #data: DataReader;

  constructor(text: string, names: DeclaredNames, dataset: SparqlDataset | undefined, data: DataReader) {
    this.#text = text;
    this.#names = names;
    this.#dataset = dataset;
    this.#data = data;
  }

  read(node: Node): UpdateOperation {
    switch (node.subType) {
      case 'insertdata':
        return { kind: 'insert-data', data: this.#data.read(node, this.#names) };
      case 'deletedata':
        return { kind: 'delete-data', data: this.#data.read(node, this.#names) };
      case 'deletewhere':
        return this.#deleteWhere(node);
      case 'modify':
        return this.#modify(node);
      case 'clear':
      case 'drop':
        return { kind: node.subType, silent: node.silent, target: this.#target(node.destination) };
      case 'create':
        return { kind: 'create', silent: node.silent, graph: this.#names.resolve(node.destination.graph) };
      case 'load':
        if (node.silent) return { kind: 'nothing' };
        throw this.#unsupported('LOAD is not supported: nothing is fetched. Send the data instead', node);
      case 'copy':
      case 'move':
      case 'add': {
        const { subType: kind, silent, source, destination } = node;
        return { kind, silent, from: this.#graphOf(source), to: this.#graphOf(destination) };
      }
    }
  }

  #target(reference: GraphRef): ClearTarget {
    if (reference.subType !== 'specific') return reference.subType;
    return { graph: this.#names.resolve(reference.graph) };
  }

  /** Returns undefined for the default graph. */
  #graphOf(reference: GraphRef): string | undefined {
    return reference.subType === 'specific' ? this.#names.resolve(reference.graph) : undefined;
  }

  /** The template is also the pattern. */
  #deleteWhere(node: UpdateOperationDeleteWhere): ModifyOperation {
    const [first] = node.data;
    // The brace ends the operation. The parser does not report the end of a template reliably.
    const where = first ? this.#text.slice(placeOf(first).start, placeOf(node).end) : '}';
    return {
      ...this.#pattern(node.data, `{${where}`, first ?? node),
      removals: this.#removals(node.data),
      additions: [],
      withGraph: undefined,
      using: this.#dataset,
    };
  }

  #modify(node: UpdateOperationModify): ModifyOperation {
    const using = this.#using(node.from);
    if (this.#dataset && (node.graph || using)) {
      const message =
        'The request names graphs (using-graph-uri), so the text can have neither USING nor WITH.';
      throw new AppError('bad-query', message, this.#position(node));
    }
    return {
      ...this.#pattern(node.where, this.#sourceOf(node.where), node.where),
      removals: this.#removals(node.delete),
      additions: this.#template(node.insert),
      withGraph: node.graph && this.#names.resolve(node.graph),
      using: this.#dataset ?? using,
    };
  }

  #pattern(
    tree: PatternGroup | readonly Quads[],
    where: string,
    begin: Pick<Node, 'loc'>,
  ): Pick<ModifyOperation, 'kind' | 'where' | 'place' | 'prologue' | 'named' | 'triplePatterns'> {
    const { graphs, service, prefixes } = patternFacts(tree);
    if (service)
      throw this.#unsupported('SERVICE is not supported: this server queries no other servers', service);
    const named = [...new Set(graphs.map((graph) => this.#names.resolve(graph)))];
    const place = () => positionIn(this.#text, placeOf(begin).start);
    const triplePatterns = countTriplePatterns('patterns' in tree ? tree.patterns : tree);
    return { kind: 'modify', where, place, prologue: this.#names.prologue(prefixes), named, triplePatterns };
  }

  #removals(quads: readonly Quads[]): TemplateQuad[] {
    rejectBlankNodes(quads, this.#text);
    return this.#template(quads);
  }

  #template(quads: readonly Quads[]): TemplateQuad[] {
    return [...templateQuads(quads, this.#names)];
  }

  #using({ clauses }: DatasetClauses): SparqlDataset | undefined {
    if (clauses.length === 0) return undefined;
    const graphs = (type: string) =>
      clauses.filter(({ clauseType }) => clauseType === type).map(({ value }) => this.#names.resolve(value));
    return { defaultGraphs: graphs('default'), namedGraphs: graphs('named') };
  }

  #sourceOf(node: Pick<Node, 'loc'>): string {
    const { start, end } = placeOf(node);
    return this.#text.slice(start, end);
  }

  #unsupported(message: string, node: Pick<Node, 'loc'>): AppError {
    return new AppError('unsupported-sparql', `${message}.`, this.#position(node));
  }

  #position(node: Pick<Node, 'loc'>) {
    return { ...positionIn(this.#text, placeOf(node).start), source: 'body' } as const;
  }
}

/** Error `parse-error`: the parser only sees to labels, `[]`, and what stands as an object. */
function rejectBlankNodes(quads: readonly Quads[], text: string): void {
  const offset = firstBlankNode(quads);
  if (offset === undefined) return;
  const message = 'What is deleted cannot have blank nodes; a variable and WHERE find those that are there';
  throw syntaxError(message, text, offset);
}
