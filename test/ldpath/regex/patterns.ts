import fc from 'fast-check';

const atoms = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '[^a&&[^b]]',
  '[a[^b]]',
  '[\\W_]',
  '[\\S\\d]',
  '\\w',
  '\\p{L}',
  '\\P{Lu}',
  '😀',
  'É',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\z',
  '\\Z',
  '(?m)^',
  '(?m)$',
  '\\R',
  '(?i)',
];
const quantifiers = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}', '{1,3}', '{3}'];

/** Regular expressions in Java's dialect; `kinds` are beginnings of groups. A few are malformed. */
function patterns(
  kinds: readonly string[],
  moreAtoms: readonly string[],
  moreQuantifiers: readonly string[],
): fc.Arbitrary<string> {
  const quantifier = fc.oneof(fc.constant(''), fc.constantFrom(...quantifiers, ...moreQuantifiers));
  const { pattern } = fc.letrec<{ atom: string; piece: string; pattern: string }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 4 },
      { weight: 4, arbitrary: fc.constantFrom(...atoms, ...moreAtoms) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...kinds), tie('pattern'))
          .map(([kind, inside]) => `${kind}${inside})`),
      },
    ),
    piece: fc.tuple(tie('atom'), quantifier).map(([atom, suffix]) => atom + suffix),
    pattern: fc.oneof(
      { weight: 3, arbitrary: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')) },
      { weight: 1, arbitrary: fc.tuple(tie('pattern'), tie('pattern')).map((options) => options.join('|')) },
    ),
  }));
  return fc
    .tuple(fc.constantFrom('', '', '(?iu)', '(?s)', '(?U)'), pattern)
    .map(([flags, rest]) => flags + rest);
}

/** Of everything that is matched in linear time. */
export const regularPatterns = patterns(['(', '(?:'], [], []);

export const anyPatterns = patterns(
  ['(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?>'],
  ['\\1', '\\2', '\\X'],
  ['*+', '++', '?+'],
);

export const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '_', '1', ' ', '\n', '\r', 'é', '😀'),
  maxLength: 9,
});
