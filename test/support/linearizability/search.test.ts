import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Model, Operation } from './operation.ts';
import { type RegisterInput, type RegisterOutput, register, type Value } from './register.ts';
import { findViolation } from './search.ts';
import { type SetInput, type SetOutput, tripleSet } from './triple-set.ts';

type RegisterOperation = Operation<RegisterInput, RegisterOutput>;
type SetOperation = Operation<SetInput, SetOutput>;

const write = (value: Value, called: number, returned: number): RegisterOperation => ({
  input: { kind: 'write', value },
  output: { kind: 'done' },
  called,
  returned,
});
const read = (value: Value, called: number, returned: number): RegisterOperation => ({
  input: { kind: 'read' },
  output: { kind: 'value', value },
  called,
  returned,
});
const set = (
  [expected, value]: readonly [Value, Value],
  kind: 'done' | 'refused',
  called: number,
  returned: number,
): RegisterOperation => ({
  input: { kind: 'compare-and-set', expected, value },
  output: { kind },
  called,
  returned,
});
const unanswered = (operation: RegisterOperation): RegisterOperation => ({ ...operation, output: undefined });

describe('the check of a register', () => {
  const accepted: Record<string, RegisterOperation[]> = {
    'reads what was written': [write('a', 1, 2), read('a', 3, 4)],
    'reads the value before a concurrent write': [write('a', 1, 4), read(null, 2, 3)],
    'reads the value of a concurrent write': [write('a', 1, 4), read('a', 2, 3)],
    'lets concurrent writes happen in any order': [
      write('a', 1, 10),
      write('b', 2, 9),
      read('b', 3, 4),
      read('a', 5, 6),
    ],
    'has one winner of two': [set([null, 'a'], 'done', 1, 3), set([null, 'b'], 'refused', 2, 4)],
    'sees a write without an answer much later': [
      unanswered(write('a', 1, 2)),
      read(null, 3, 4),
      write('b', 5, 6),
      read('b', 7, 8),
      read('a', 9, 10),
    ],
    'never sees a write without an answer': [unanswered(write('a', 1, 2)), read(null, 3, 4)],
    'explains a refusal by a write without an answer that nobody read': [
      unanswered(write('x', 1, 2)),
      set([null, 'a'], 'refused', 3, 4),
      set(['x', 'b'], 'done', 5, 6),
    ],
    'uses a chain of changes without an answer': [
      unanswered(set(['a', 'b'], 'done', 1, 2)),
      unanswered(set([null, 'a'], 'done', 3, 4)),
      read('b', 5, 6),
    ],
  };
  for (const [title, history] of Object.entries(accepted)) {
    it(title, () => assert.equal(findViolation(register, history), undefined));
  }

  const refused: Record<string, RegisterOperation[]> = {
    'a read of an overwritten value': [write('a', 1, 2), write('b', 3, 4), read('a', 5, 6)],
    'a read of a value that nobody wrote': [write('a', 1, 2), read('b', 3, 4)],
    'a lost write': [write('a', 1, 2), read(null, 3, 4)],
    'a read that goes back': [write('a', 1, 10), read('a', 2, 3), read(null, 4, 5)],
    'two winners': [set([null, 'a'], 'done', 1, 3), set([null, 'b'], 'done', 2, 4)],
    'a refusal without a reason': [write('a', 1, 2), set(['a', 'b'], 'refused', 3, 4)],
    'a write without an answer that happened before its call': [
      read('a', 1, 2),
      unanswered(write('a', 3, 4)),
    ],
    'a write without an answer that happened twice': [
      unanswered(write('a', 1, 2)),
      read('a', 3, 4),
      write('b', 5, 6),
      read('b', 7, 8),
      read('a', 9, 10),
    ],
  };
  for (const [title, history] of Object.entries(refused)) {
    it(`finds ${title}`, () => {
      const last = history.filter(({ output }) => output !== undefined).at(-1);
      assert.equal(findViolation(register, history)?.operation.returned, last?.returned);
    });
  }

  it('tells the states that were possible', () => {
    const history = [write('a', 1, 2), unanswered(write('b', 3, 4)), read('c', 5, 6)];
    assert.deepEqual(findViolation(register, history)?.states, ['a']);
  });
});

describe('the check of a set of triples', () => {
  const change = (added: string[], removed: string[], called: number, returned: number): SetOperation => ({
    input: { kind: 'change', added, removed },
    output: [],
    called,
    returned,
  });
  const contents = (triples: string[], called: number, returned: number): SetOperation => ({
    input: { kind: 'read' },
    output: triples,
    called,
    returned,
  });

  it('sees a change as a whole', () => {
    const history = [change(['a', 'b'], [], 1, 4), contents(['a'], 2, 3)];
    assert.equal(findViolation(tripleSet, history)?.operation, history[1]);
    const whole = [change(['a', 'b'], ['c'], 1, 4), contents(['b', 'a'], 2, 3)];
    assert.equal(findViolation(tripleSet, whole), undefined);
  });

  it('finds two readers who saw two additions in different orders', () => {
    const additions = [change(['a'], [], 1, 10), change(['b'], [], 2, 9)];
    const history = [...additions, contents(['a'], 3, 5), contents(['b'], 4, 6)];
    assert.ok(findViolation(tripleSet, history));
  });

  it('decides without the changes that nobody saw', () => {
    const unseen = Array.from({ length: 40 }, (_, i) => ({
      ...change([`u${i}`], [], i, i),
      output: undefined,
    }));
    const seen = { ...change(['s'], ['u0'], 41, 42), output: undefined };
    const history = [...unseen, seen, contents(['s'], 50, 51), change(['t'], [], 52, 53)];
    assert.equal(findViolation(tripleSet, history), undefined);
  });

  it('keeps the removal that a read needs', () => {
    const removal = { ...change([], ['a'], 3, 4), output: undefined };
    const history = [change(['a'], [], 1, 2), removal, contents([], 5, 6)];
    assert.equal(findViolation(tripleSet, history), undefined);
    assert.ok(findViolation(tripleSet, [history[0]!, history[2]!]));
  });
});

describe('the search', () => {
  it('agrees with trying all orders of a register', () => {
    const value = fc.constantFrom(null, 'a', 'b');
    const input: fc.Arbitrary<RegisterInput> = fc.oneof(
      fc.constant({ kind: 'read' as const }),
      fc.record({ kind: fc.constant('write' as const), value }),
      fc.record({ kind: fc.constant('compare-and-set' as const), expected: value, value }),
    );
    const output = (kind: string): fc.Arbitrary<RegisterOutput> =>
      kind === 'read'
        ? fc.record({ kind: fc.constant('value' as const), value })
        : fc.record({ kind: fc.constantFrom('done' as const, 'refused' as const) });
    compareWithAllOrders(
      register,
      historiesOf(input, ({ kind }) => output(kind)),
    );
  });

  it('agrees with trying all orders of a set', () => {
    const triples = fc.subarray(['a', 'b']);
    const input: fc.Arbitrary<SetInput> = fc.oneof(
      fc.constant({ kind: 'read' as const }),
      fc.record({ kind: fc.constant('change' as const), added: triples, removed: triples }),
    );
    const histories = historiesOf(input, () => triples as fc.Arbitrary<readonly string[]>);
    compareWithAllOrders(tripleSet, histories);
  });

  it('checks 10,000 operations of eight clients, and finds one wrong answer among them', () => {
    const history = simulatedHistory(10_000);
    assert.equal(findViolation(register, history), undefined);
    const index = history.findLastIndex(({ output }) => output?.kind === 'value');
    const wrong = history.with(index, { ...history[index]!, output: { kind: 'value', value: 'never' } });
    assert.equal(findViolation(register, wrong)?.operation, wrong[index]);
  });
});

/** Up to six operations with overlapping times; some have no answer. */
function historiesOf<Input, Output>(
  input: fc.Arbitrary<Input>,
  outputOf: (input: Input) => fc.Arbitrary<Output>,
): fc.Arbitrary<Operation<Input, Output>[]> {
  const operation = input.chain((input) =>
    fc
      .record({
        output: fc.option(outputOf(input), { nil: undefined, freq: 4 }),
        called: fc.nat(12),
        lasted: fc.nat(6),
      })
      .map(({ output, called, lasted }) => ({ input, output, called, returned: called + lasted })),
  );
  return fc.array(operation, { maxLength: 6 });
}

function compareWithAllOrders<State, Input, Output>(
  model: Model<State, Input, Output>,
  histories: fc.Arbitrary<Operation<Input, Output>[]>,
): void {
  const counts = { good: 0, bad: 0 };
  fc.assert(
    fc.property(histories, (history) => {
      const isGood = hasOrder(model, model.initial, history);
      counts[isGood ? 'good' : 'bad']++;
      assert.equal(findViolation(model, history) === undefined, isGood);
    }),
    { numRuns: 3000 },
  );
  assert.ok(counts.good > 300 && counts.bad > 300, JSON.stringify(counts));
}

/** Whether the operations have an order that explains all answers: tries each that may be next. */
function hasOrder<State, Input, Output>(
  model: Model<State, Input, Output>,
  state: State,
  rest: readonly Operation<Input, Output>[],
): boolean {
  if (rest.every(({ output }) => output === undefined)) return true;
  const firstAnswer = Math.min(
    ...rest.map(({ output, returned }) => (output === undefined ? Infinity : returned)),
  );
  return rest.some((operation, index) => {
    if (operation.called > firstAnswer) return false;
    const next = model.step(state, operation.input, operation.output);
    return next !== undefined && hasOrder(model, next, rest.toSpliced(index, 1));
  });
}

/** Operations of eight clients on a real register, each at a random moment while it is called. */
function simulatedHistory(count: number): RegisterOperation[] {
  const random = randomNumbers(7);
  const history: RegisterOperation[] = [];
  const clients = Array.from({ length: 8 }, () => ({ free: 0 }));
  let state: Value = null;
  for (let moment = 0; history.length < count; moment++) {
    const client = clients[random(clients.length)]!;
    const called = Math.max(client.free, moment - random(6)) + 0.1;
    if (called > moment) continue;
    const input = randomInput(state, history.length, random);
    const output: RegisterOutput = outputOf(input, state);
    if (output.kind === 'done' && input.kind !== 'read') state = input.value;
    client.free = moment + random(6) + 0.2;
    const isLost = input.kind !== 'read' && random(50) === 0;
    history.push({ input, output: isLost ? undefined : output, called, returned: client.free });
  }
  return history;
}

function randomInput(state: Value, number: number, random: (below: number) => number): RegisterInput {
  const value = `v${number}`;
  const expected = random(3) === 0 ? `v${Math.max(0, number - 2)}` : state;
  const kinds: RegisterInput[] = [
    { kind: 'read' },
    { kind: 'write', value },
    { kind: 'compare-and-set', expected, value },
  ];
  return kinds[random(3)]!;
}

function outputOf(input: RegisterInput, state: Value): RegisterOutput {
  if (input.kind === 'read') return { kind: 'value', value: state };
  return { kind: input.kind === 'write' || input.expected === state ? 'done' : 'refused' };
}

/** Numbers from 0 on, the same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}
