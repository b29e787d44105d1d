import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bottleneck } from '../../../bench/capacity/bottleneck.ts';
import { graphToRead, Sample } from '../../../bench/capacity/discovery.ts';
import { recommendedThreads, scalingOf } from '../../../bench/capacity/scaling.ts';

const idle = { main: 0.3, others: [0.2, 0.1], generator: 0.2, machine: 0.4, cores: 2 };

test('the limiting resource is the one that was busy', () => {
  assert.equal(bottleneck('path', { ...idle, main: 0.95 }, 2), 'the main thread');
  assert.equal(bottleneck('path', { ...idle, others: [0.9, 0.9] }, 2), 'the 2 pool threads');
  assert.equal(bottleneck('write', { ...idle, others: [0.9] }, 2), 'the thread that writes');
  assert.match(bottleneck('write', idle, 2), /^the disk/);
  assert.match(bottleneck('path', { ...idle, generator: 0.9 }, 2), /^the load generator/);
  assert.match(bottleneck('path', { ...idle, main: undefined, others: undefined }, undefined), /^not known/);
  assert.match(bottleneck('path', { ...idle, machine: 1 }, 2), /^the cores .*other programs 120 %/);
});

test('the fewest threads with nearly the best throughput are recommended', () => {
  const points = (...throughputs: number[]) =>
    throughputs.map((throughput, i) => ({ threads: i + 1, throughput }));
  assert.equal(recommendedThreads([scalingOf('path', points(100, 180, 182, 150))]), 2);
  const both = [scalingOf('path', points(100, 101)), scalingOf('program', points(100, 190))];
  assert.equal(recommendedThreads(both), 2);
  assert.equal(recommendedThreads([]), undefined);
});

test('the graph that is read whole is of middle size, or the smallest', () => {
  const graphs = [
    { uri: 'a', size: 1e6 },
    { uri: 'b', size: 9_000 },
    { uri: 'c', size: 3 },
  ];
  assert.equal(graphToRead(graphs), 'b');
  assert.equal(graphToRead(graphs.slice(0, 1)), 'a');
  assert.equal(graphToRead([]), undefined);
});

test('a sample is drawn from all that is offered, the same each time', () => {
  const draw = () => {
    const sample = new Sample(100);
    for (let i = 0; i < 10_000; i++) sample.offer(String(i));
    return sample.values;
  };
  assert.equal(new Set(draw()).size, 100);
  assert.deepEqual(draw(), draw());
  assert.ok(draw().some((value) => Number(value) > 9_000));
});
