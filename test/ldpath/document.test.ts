/** Every example in `docs/ldpath.md` is true, and every function is described and used there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { transformerTypes } from '../../src/ldpath/compile/transformer-types.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import type { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import { allFunctions } from '../../src/ldpath/functions/catalog.ts';
import { projectFile } from '../support/project.ts';
import { graphOf, prefixes, show } from './support.ts';

const text = readFileSync(projectFile('docs/ldpath.md'), 'utf8');

interface Block {
  readonly language: string;
  /** After `# ` in the first line. */
  readonly heading: string;
  readonly body: string;
}

const blocks: readonly Block[] = Array.from(
  text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm),
  ([, language, body]) => ({
    language: language!,
    heading: /^# (.*)\n/.exec(body!)?.[1] ?? '',
    body: body!,
  }),
);

const data: ReadonlyMap<string, IndexedGraph> = new Map(
  blocks.filter(({ language }) => language === 'turtle').map(({ heading, body }) => [heading, graphOf(body)]),
);

interface PathExample {
  readonly graph: IndexedGraph;
  readonly start: string;
  readonly path: string;
  readonly result: string;
}

const pathExamples = blocks.flatMap(({ language, heading, body }): PathExample[] => {
  const found = language === 'ldpath' ? /^(D\d), from ex:(\w+)$/.exec(heading) : null;
  if (found === null) return [];
  return linesOf(body).map((line) => {
    const [path, result] = line.split(/ +# => /);
    assert.ok(result !== undefined, line);
    return { graph: data.get(found[1]!)!, start: iri(found[2]!), path: path!, result };
  });
});

interface ProgramExample {
  readonly graph: IndexedGraph;
  readonly start: string;
  readonly program: string;
  readonly result: unknown;
}

const programExamples = blocks.flatMap(({ language, heading, body }, i): ProgramExample[] => {
  const found = language === 'ldpath' ? /^(D\d), from ex:(\w+): a program$/.exec(heading) : null;
  if (found === null) return [];
  const result: unknown = JSON.parse(blocks[i + 1]!.body);
  return [{ graph: data.get(found[1]!)!, start: iri(found[2]!), program: body, result }];
});

function linesOf(body: string): string[] {
  return body.split('\n').slice(1, -1);
}

function iri(local: string): string {
  return `<${prefixes.ex}${local}>`;
}

describe('docs/ldpath.md', () => {
  it('contains no block of LDPath that is not a tested example', () => {
    const blocksOfPaths = blocks.filter(
      ({ language, heading }) => language === 'ldpath' && !heading.endsWith(': a program'),
    );
    assert.equal(
      pathExamples.length,
      blocksOfPaths.reduce((sum, { body }) => sum + linesOf(body).length, 0),
    );
    assert.ok(pathExamples.length > 200 && programExamples.length > 5);
  });

  for (const { graph, start, path, result } of pathExamples) {
    it(path, () => assert.equal(resultOf(graph, start, path), result));
  }

  for (const { graph, start, program, result } of programExamples) {
    it(program.split('\n')[1]!, () => {
      const compiled = compileProgram(program, { prefixes });
      const fields = new Evaluator().evaluateProgram(compiled, graph, start);
      assert.deepEqual(Object.fromEntries(fields), result);
      assert.deepEqual([...fields.keys()], Object.keys(result as object));
    });
  }

  it('contains the signature and an example of every function', () => {
    const unescaped = text.replaceAll('\\|', '|');
    const examples = [...pathExamples.map(({ path }) => path), ...programExamples.map((one) => one.program)];
    for (const { name, signature } of allFunctions) {
      assert.ok(unescaped.includes(`\`${signature}\``), signature);
      assert.ok(
        examples.some((example) => example.includes(`fn:${name}(`)),
        name,
      );
    }
  });

  it('describes every type', () => {
    const table = text.slice(text.indexOf('## 4. Types'), text.indexOf('## 5. Functions'));
    for (const type of transformerTypes) {
      assert.ok(table.includes(`\`${type.replace('http://www.w3.org/2001/XMLSchema#', 'xsd:')}\``), type);
    }
  });
});

/** As the document writes it. */
function resultOf(graph: IndexedGraph, start: string, path: string): string {
  const evaluator = new Evaluator();
  try {
    const nodes = evaluator.evaluatePath(compilePath(path, { prefixes }), graph, start);
    const warning = evaluator.warnings.length > 0 ? '; warning' : '';
    return (nodes.map(turtle).join(', ') || 'nothing') + warning;
  } catch (error) {
    if (error instanceof LdPathError) return `error ${error.code}`;
    throw error;
  }
}

const bare: Readonly<Record<string, RegExp>> = {
  integer: /^-?\d+$/,
  decimal: /^-?\d+\.\d+$/,
  boolean: /^(?:true|false)$/,
};

/** A term as in Turtle, numbers and booleans without quotes. */
function turtle(node: NodeObject): string {
  if (node.type !== 'literal') return show(node);
  const type = node.datatype?.replace('http://www.w3.org/2001/XMLSchema#', '') ?? '';
  if (bare[type]?.test(node.value)) return node.value;
  return show({ ...node, value: JSON.stringify(node.value).slice(1, -1) });
}
