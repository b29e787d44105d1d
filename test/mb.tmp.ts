import { MeteredPattern } from '../src/ldpath/java-regex/metered-pattern.ts';
import { parseJavaPattern } from '../src/ldpath/java-regex/parser.ts';
import { V8Pattern } from '../src/ldpath/java-regex/v8-pattern.ts';

const para =
  'Lorem ipsum <b>dolor</b> sit amet, consectetur (adipiscing) elit, sed do eiusmod 2020-01-02 tempor. '.repeat(
    20,
  );
const meter = { work() {}, exceeded: (m: string) => new Error(m) };
function time(f: () => void) {
  const r = [];
  for (let k = 0; k < 9; k++) {
    let n = 0;
    const t = performance.now();
    while (performance.now() - t < 20) {
      for (let i = 0; i < 5; i++) f();
      n += 5;
    }
    r.push(((performance.now() - t) / n) * 1000);
  }
  return r.sort((a, b) => a - b)[4]!;
}
for (const p of [
  '^(.*), (.*)$',
  '<[^>]+>',
  '\\s+',
  '\\w+\\s*$',
  '[^,]+,',
  '(a|b)*c',
  '\\bdolor\\b',
  'urgent|asap|priority|critical|blocker',
]) {
  const parsed = parseJavaPattern(p);
  const v = new V8Pattern(parsed),
    m = new MeteredPattern(parsed);
  let k = 0;
  for (const _ of m.matches(para, meter)) k++;
  console.log(
    p.padEnd(42),
    'matches',
    k,
    'v8',
    time(() => {
      for (const _ of v.matches(para, meter));
    }).toFixed(1),
    'own',
    time(() => {
      for (const _ of m.matches(para, meter));
    }).toFixed(1),
  );
}
