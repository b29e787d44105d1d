import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { graphOf, run } from '../support.ts';

/** What `fn:replace` makes of a text; and how many warnings it gives. */
function replaced(
  text: string,
  pattern: string,
  replacement: string,
): { result: string[]; warnings: number } {
  const graph = graphOf(`ex:s ex:text ${JSON.stringify(text)} ; ex:pattern ${JSON.stringify(pattern)} .`);
  const { fields, warnings } = run(graph, 's', `x = fn:replace(ex:text, ex:pattern, "${replacement}") ;`);
  return { result: fields['x']!.map((shown) => shown.slice(1, -1)), warnings: warnings.length };
}

function check(rows: readonly (readonly [string, string, string, string])[]): void {
  for (const [text, pattern, replacement, expected] of rows) {
    assert.deepEqual(replaced(text, pattern, replacement), { result: [expected], warnings: 0 }, pattern);
  }
}

describe('regular expressions in the dialect of Java (ldpath 5.8)', () => {
  it('support the character classes of POSIX, Unicode and Java', () => {
    check([
      ['Aé1 b!', '\\p{Upper}', '#', '#é1 b!'],
      ['Aé1 b!', '\\p{Alpha}', '#', '#é1 #!'],
      ['Aé1 b!', '[\\p{Alnum}]+', '#', '#é# #!'],
      ['a.b-c_$d', '\\p{Punct}', '', 'abcd'],
      ['Aé1 b!', '\\P{L}', '', 'Aéb'],
      ['Aé1 b!', '\\pL+', '#', '#1 #!'],
      ['Aé1 b!', '\\p{IsAlphabetic}+', '#', '#1 #!'],
      ['aλж', '\\p{InGreek}', '#', 'a#ж'],
      ['aλж', '\\p{IsCyrillic}|\\p{script=GREEK}', '#', 'a##'],
      ['aλA', '\\p{Lu}|\\p{gc=Lu}', '#', 'aλ#'],
      ['aλA', '\\p{javaUpperCase}', '#', 'aλ#'],
      ['a\u00a0b c', '\\s', '#', 'a\u00a0b#c'],
      ['a\u00a0b c', '\\h', '#', 'a#b#c'],
      ['é1', '\\w', '#', 'é#'],
      ['é1', '(?U)\\w', '#', '##'],
    ]);
  });

  it('support nested classes and intersections of classes', () => {
    check([
      ['Hello', '[a-z&&[^aeiou]]', '#', 'He##o'],
      ['Hello', '[a-z&&[def]]', '#', 'H#llo'],
      ['Hello', '[a-d[m-p]]', '#', 'Hell#'],
      ['Hello', '[^a-z&&[^l]]', '#', '#e##o'],
      ['Hello', '[a-z&&[^l]&&[^o]]', '#', 'H#llo'],
      ['a]b[c', '[]a]', '#', '##b[c'],
      ['a-b&c', '[a\\-&]', '#', '##b#c'],
      ['a-b', '[b-]', '#', 'a##'],
      ['a|b(c)', '[|()]', '#', 'a#b#c#'],
      ['a^b', '[\\Q^]\\E]', '#', 'a#b'],
      ['😀x', '[😀-😂]', '#', '#x'],
      ['a,b;c', '[^\\W_]', '#', '#,#;#'],
      ['a-b_c', '[\\W_]', '#', 'a#b#c'],
      ['a1 b', '[\\D&&[^\\s]]', '#', '#1 #'],
      ['abc', '[^[^ab]]', '#', '##c'],
      ['abc', '[a[^ab]]', '#', '#b#'],
      ['aλЖ', '[\\P{IsGreek}&&\\P{IsCyrillic}]', '#', '#λЖ'],
      ['a\u00a0b', '[\\Hb]', '#', '#\u00a0#'],
    ]);
  });

  it('support quotations, anchors and line terminators', () => {
    check([
      ['a.b*c', '\\Q.b*\\E', '#', 'a#c'],
      ['a.bbb', '\\Q.b\\E+', '#', 'a#'],
      ['aa', '\\Aa', '#', '#a'],
      ['aa', 'a\\z', '#', 'a#'],
      ['ab\n', 'b$', '#', 'a#\n'],
      ['ab\n', 'b\\Z', '#', 'a#\n'],
      ['ab\n', 'b\\z', '#', 'ab\n'],
      ['a\nb\r\nc', '(?m)^', '#', '#a\n#b\r\n#c'],
      ['a\nb\r\nc', '(?m)$', '#', 'a#\nb#\r\nc#'],
      ['a\u0085b', 'a.b', '#', 'a\u0085b'],
      ['a\nb', '(?s)a.b', '#', '#'],
      ['a\r\nb\nc', '\\R', '#', 'a#b#c'],
      ['größe gr', '\\bgr\\b', '#', 'größe #'],
    ]);
  });

  it('accept flags anywhere, and ignore the case of ASCII letters only by default', () => {
    check([
      ['HELLO', 'H(?i)ello', '#', '#'],
      ['HELLO hELLO', 'H(?i:ello)', '#', '# hELLO'],
      ['abAB', '(?i)a(?-i)b', '#', '#AB'],
      ['ab AC', '((?i)a)b|AC', '#', '# #'],
      ['Aé É', '(?i)[a-cé]', '#', '## É'],
      ['é É', '(?iu)É', '#', '# #'],
      ['ab', '(?x) a # the first\n b', '#', '#'],
    ]);
  });

  it('support all kinds of groups, and number them in the order written', () => {
    check([
      ['Hello', 'l++o', '#', 'He#'],
      ['aaa', 'a*+a', '#', 'aaa'],
      ['aaab', '(?>a+)(b)', '$1', 'b'],
      ['aaabc', '(?:a{2}+)(a)(b)', '$2$1', 'bac'],
      ['abab', '(ab)\\1', '#', '#'],
      ['aa1', '(a)\\11', '#', '#'],
      ['ab', '(?<x>a)(?<y>b)\\k<x>?', '$2', 'b'],
      ['ab', 'a(?=b)', '#', '#b'],
      ['ab', '(?<!b)a', '#', '#b'],
      ['a}b]', '}|]', '#', 'a#b#'],
      ['a😀b', '\\x{1F600}', '#', 'a#b'],
      ['a😀b', '\\uD83D\\uDE00', '#', 'a#b'],
      ['a\tb', 'a\\x09b|\\011', '#', '#'],
      ['a-b/c', '\\-|\\/', '', 'abc'],
    ]);
  });

  it('fail at a reference to an unset group, and keep what a group matched in an earlier repetition', () => {
    check([
      ['b', '(a)?b\\1', '#', 'b'],
      ['aba', '(a)?b\\1', '#', '#'],
      ['ab', '(?:(a)|b\\1)', '#', '#b'],
      ['cb', '(a)|c\\1', '#', 'cb'],
      ['aa', '(a\\1)', '#', 'aa'],
      ['aba', '^(?:(a)|b\\1)+$', '#', '#'],
      ['ba', '\\1(a)', '#', 'ba'],
      ['b', '(?!(a))b\\1', '#', 'b'],
      ['aa', '(?=(a))\\1', '#', '##'],
    ]);
  });

  it('support Unix lines, grapheme clusters, and properties that ignore case', () => {
    check([
      ['a\rb\nc', '(?d)a.b', '#', '#\nc'],
      ['a\r\nb', '(?dm)$', '#', 'a\r#\nb#'],
      ['a\r\nb', '(?dm)^', '#', '#a\r\n#b'],
      ['a\u2028', '(?d)a$', '#', 'a\u2028'],
      ['a\n', '(?d)a\\Z', '#', '#\n'],
      ['e\u0301\r\n👩🏽‍🚀🇦🇹x', '\\X', '#', '#####'],
      ['aB1', '(?i)\\p{Lu}', '#', '##1'],
      ['aB1', '(?i)[\\p{Lower}]', '#', '##1'],
      ['aB1é', '(?i)\\p{Upper}', '#', '##1é'],
      ['ǅa', '(?i)\\p{IsUppercase}', '#', '##'],
    ]);
  });

  it('match the same inside a repetition', () => {
    check([
      ['ab', '(?:[^a]b)+', '#', 'ab'],
      ['cbcb', '(?:[^a]b)+', '#', '#'],
      ['a1', '(?:[^\\p{L}]1){1,}', '#', 'a1'],
      ['a😀b', '(?s).{2}', '#', '#b'],
      ['aXbX', '(?:[^\\n]X)*', '#', '##'],
    ]);
  });

  it('never split a character', () => {
    check([
      ['😀', '(?!x)', '#', '#😀#'],
      ['a😀', '(?!😀)', '#', '#a😀#'],
      ['a😀b', '', '#', '#a#😀#b#'],
      ['a😀b', '(?<=.)(?=.)', '#', 'a#😀#b'],
    ]);
    const piece = fc.constantFrom(
      '(?!a)',
      '(?!😀)',
      '(?<!a)',
      '(?=.)',
      '(?<=😀)',
      '\\b',
      '\\B',
      '.?',
      '^',
      '|',
      'a*',
      '[^a]??',
    );
    const character = fc.constantFrom('a', '😀', '𝒜', '\n');
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.string({ unit: piece }), (text, pattern) => {
        const { result } = replaced(text, pattern, '#');
        assert.ok(result.every((found) => found.isWellFormed()));
      }),
    );
  });

  it('are rejected with a warning if Java rejects them', () => {
    for (const pattern of [
      '(',
      ')',
      '[a',
      '*a',
      'a**',
      'a{',
      '\\y',
      '\\p{Nothing}',
      '[b-a]',
      '(?z)a',
      '\\k<x>',
      'a{2,1}',
      'a{9999999999}',
    ]) {
      assert.deepEqual(replaced('a', pattern, 'x'), { result: [], warnings: 1 }, pattern);
    }
  });

  it('are rejected with a warning if they are too large', () => {
    for (const pattern of [
      'a'.repeat(5000),
      `${'('.repeat(60)}a${')'.repeat(60)}`,
      `${'[^'.repeat(60)}a${']'.repeat(60)}`,
      `[${Array.from({ length: 300 }, (_, i) => `\\p{L}${String.fromCodePoint(0x4e00 + i)}`).join('')}]`,
    ]) {
      assert.deepEqual(replaced('a', pattern, 'x'), { result: [], warnings: 1 }, pattern);
    }
  });
});
