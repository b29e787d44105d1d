import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import type { Plot } from '../../../bench/report/figure.ts';
import { htmlPage } from '../../../bench/report/html.ts';
import { svgPlot } from '../../../bench/report/svg.ts';

const axis = fc.record({ label: fc.string(), scale: fc.constantFrom('linear' as const, 'log' as const) });
const value = fc.oneof(
  fc.double({ min: -1e6, max: 1e6 }),
  fc.double(),
  fc.constantFrom(
    0,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ),
);
const series = fc.record({
  name: fc.string(),
  points: fc.array(fc.tuple(value, value), { maxLength: 8 }),
  as: fc.constantFrom('line' as const, 'dots' as const),
});
const plot = fc.record({ title: fc.string(), x: axis, y: axis, series: fc.array(series, { maxLength: 4 }) });

test('a plot of anything is well-formed SVG whose places are numbers', () => {
  fc.assert(fc.property(plot, (given: Plot) => requireSvg(svgPlot(given))));
});

test('texts from data are never markup', () => {
  const evil = '<script>alert("&")</script>';
  const given: Plot = {
    title: evil,
    x: { label: evil, scale: 'linear' },
    y: { label: evil, scale: 'log' },
    series: [{ name: evil, points: [[1, 1]] }],
  };
  const table = { title: evil, head: [evil], rows: [[evil]] };
  const page = htmlPage({ title: evil, words: [evil], tables: [table], plots: [given] });
  assert.ok(!page.includes('<script'));
  assert.doesNotMatch(page, /\b(src|href)=|url\(|@import/);
});

function requireSvg(svg: string): void {
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ attributes }) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy'].includes(name))
        assert.match(String(value), /^-?[\d.]+$/);
    }
  });
  // Characters that XML can't hold at all do not occur in labels of ours.
  parser.write(svg.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '')).close();
}
