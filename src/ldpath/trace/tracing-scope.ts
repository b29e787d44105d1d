import type { Prefixes } from '../../rdf/model/namespaces.ts';
import type { Accept, CompiledSelector } from '../compile/compiled-program.ts';
import { Scope } from '../compile/scope.ts';
import type * as ast from '../syntax/ast.ts';
import type { SourceText } from '../syntax/source-text.ts';
import type { Recorder } from './recorder.ts';
import { readingOf } from './traced-place.ts';
import { walkOrder } from './walk-order.ts';

/**
 * Compiles a program so that a recorder learns which construct reads, and what is selected. Only
 * programs that are traced are compiled this way, so that all others evaluate as if there were no
 * traces.
 */
export class TracingScope extends Scope {
  readonly #recorder: Recorder;
  /** What is being compiled. */
  #field = '';
  #inTest = false;
  readonly #arguments = new Set<ast.Selector>();

  constructor(source: SourceText, prefixes: Prefixes, recorder: Recorder) {
    super(source, prefixes);
    this.#recorder = recorder;
  }

  override root(field: string, selector: ast.Selector): CompiledSelector {
    this.#field = field;
    this.#recorder.addField(field, walkOrder(selector));
    const recorder = this.#recorder;
    const { select } = super.root(field, selector);
    return {
      distinct: false,
      select: (context, node) => {
        recorder.begin(context, node);
        const bottom = context.stack.length;
        select(context, node);
        recorder.select(field, context, bottom);
      },
    };
  }

  override filter(test: ast.Test): Accept {
    this.#field = '@filter';
    const recorder = this.#recorder;
    const accepts = super.filter(test);
    return (context, candidate) => {
      recorder.begin(context, candidate);
      return accepts(context, candidate);
    };
  }

  override selector(selector: ast.Selector): CompiledSelector {
    if (selector.kind === 'call') for (const argument of selector.arguments) this.#arguments.add(argument);
    return this.#watched(selector, super.selector(selector));
  }

  override inverse(selector: ast.Selector): CompiledSelector {
    return this.#watched(selector, super.inverse(selector));
  }

  override test(test: ast.Test): Accept {
    const outer = this.#inTest;
    this.#inTest = true;
    const accepts = super.test(test);
    this.#inTest = outer;
    if (test.kind !== 'is' && test.kind !== 'is-a' && test.kind !== 'test-call') return accepts;
    const recorder = this.#recorder;
    const place = recorder.addPlace({ field: this.#field, construct: test, reading: 'all', test: true });
    return (context, candidate) => recorder.at(place, candidate, () => accepts(context, candidate));
  }

  #watched(selector: ast.Selector, compiled: CompiledSelector): CompiledSelector {
    const located = this.#located(selector, compiled);
    if (this.#inTest || !this.#arguments.has(selector)) return located;
    const recorder = this.#recorder;
    const field = this.#field;
    return {
      distinct: located.distinct,
      select: (context, node) => {
        const bottom = context.stack.length;
        located.select(context, node);
        recorder.argue(field, context, bottom);
      },
    };
  }

  /** Without `selectEach`: the recorder must know the node that each triple was read for. */
  #located(selector: ast.Selector, { select, distinct }: CompiledSelector): CompiledSelector {
    const reading = readingOf(selector);
    if (reading === undefined) return { select, distinct };
    const recorder = this.#recorder;
    const field = this.#field;
    const place = recorder.addPlace({ field, construct: selector, reading, test: this.#inTest });
    return {
      distinct,
      select: (context, node) => recorder.at(place, node, () => select(context, node)),
    };
  }
}
