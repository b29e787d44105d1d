import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { errorOf, graphOf, run, select } from '../../support.ts';

const data = graphOf(`
  ex:t ex:html "<html><body><h1 id='h'>T</h1><p class='k'>A <b>bold</b><script>x()</script></p><p>B &amp; C</p></body></html>" ;
    ex:list "<ul><li>1<li>2<li>3</ul>" .
`);

/** What a call gives for one document. */
function results(call: string, html: string): string[] {
  const graph = graphOf(`ex:d ex:html ${JSON.stringify(html)} .`);
  return run(graph, 'd', `x = ${call} ;`).fields['x']!.map((shown) => shown.slice(1, -1));
}

describe('fn:htmlText', () => {
  it('returns the text without scripts, styles and redundant white space', () => {
    assert.deepEqual(select(data, 't', 'fn:htmlText(ex:html)'), ['"T A bold B & C"']);
    assert.deepEqual(results('fn:htmlText(ex:html)', '<p>a<br>b</p><p>c<i>d</i>\n e</p><style>p{}</style>'), [
      'a b cd e',
    ]);
    assert.deepEqual(results('fn:htmlText(ex:html)', ''), ['']);
    assert.deepEqual(select(data, 't', 'fn:htmlText(ex:missing)'), []);
  });

  const breaks: readonly (readonly [string, string])[] = [
    ['<p>one</p>two', 'onetwo'],
    ['one<p>two</p>', 'one two'],
    ['<b>a</b><script>x</script><i>b</i>', 'a b'],
    ['<td>a</td>b<custom>c</custom><span>d</span>', 'abcd'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', 'a b c'],
    ['<title>t</title><body>b', 't b'],
    ['&nbsp;a&nbsp; b', '\u00a0a\u00a0 b'],
  ];
  for (const [html, expected] of breaks) {
    it(`inserts a blank before elements that start a line, like jsoup: ${html}`, () => {
      assert.deepEqual(results('fn:htmlText(ex:html)', html), [expected]);
    });
  }
});

describe('fn:cleanHtml', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<p onclick="x()">a <b class="k">b</b></p>', '<p>a <b>b</b></p>'],
    ['<h1>title</h1><div>text</div>', 'titletext'],
    [
      '<a href="https://ex.org/?a=1&amp;b=2">x</a>',
      '<a href="https://ex.org/?a=1&amp;b=2" rel="nofollow">x</a>',
    ],
    ['<a href="/relative" target="_top">x</a>', '<a rel="nofollow">x</a>'],
    ['<a href="java&#10;script:alert(1)">x</a>', '<a rel="nofollow">x</a>'],
    ['<a href=" \u0001javascript:alert(1)">x</a>', '<a rel="nofollow">x</a>'],
    [
      '<a href="data:text/html,x">x</a><a href="mailto:a@b.c">y</a>',
      '<a rel="nofollow">x</a>\n<a href="mailto:a@b.c" rel="nofollow">y</a>',
    ],
    [
      '<blockquote cite="javascript:x">a</blockquote><q cite="http://ex.org/">b</q>',
      '<blockquote>\n a\n</blockquote>\n<q cite="http://ex.org/">b</q>',
    ],
    ['<script>alert(1)</script><style>p{}</style><!-- c --><template><b>t</b></template>', ''],
    [
      '<svg><style><img src=x onerror=alert(1)></style>i</svg><svg><a href="http://ex.org/">s</a></svg>',
      'is',
    ],
    [
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
      '',
    ],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', '<p></p>'],
    ['<textarea><b>x</b></textarea><xmp><i></xmp>', '&lt;b&gt;x&lt;/b&gt;&lt;i&gt;'],
    ['a < b &lt;script&gt; <b>open', 'a &lt; b &lt;script&gt; \n<b>open</b>'],
    ['  <p>one</p>  <p>two\n\n three</p> ', '<p>one</p> \n<p>two three</p>'],
    ['<ul><li>a<ul><li>b</ul></ul>', '<ul>\n <li>a\n  <ul>\n   <li>b</li>\n  </ul></li>\n</ul>'],
    ['<h1>a </h1><div> b</div>', 'a  b'],
    ['<pre> a\n  b</pre>c<br>d', '<pre> a\n  b</pre>c\n<br>d'],
    ['\u3000a&nbsp;', '\u3000a&nbsp;'],
  ];
  for (const [html, expected] of cases) {
    it(`turns ${html} into ${expected}`, () => {
      assert.deepEqual(results('fn:cleanHtml(ex:html)', html), [expected]);
    });
  }
});

describe('fn:css', () => {
  it('returns the markup of matches, ordered by document and then by selector', () => {
    assert.deepEqual(select(data, 't', 'fn:css("p.k > b", ex:html)'), ['"<b>bold</b>"']);
    assert.deepEqual(select(data, 't', 'ex:html/fn:css("h1")'), ['"<h1 id="h">T</h1>"']);
    assert.deepEqual(select(data, 't', 'fn:css(fn:split("h1,b", ","), ex:list | ex:html)'), [
      '"<h1 id="h">T</h1>"',
      '"<b>bold</b>"',
    ]);
    assert.deepEqual(select(data, 't', 'fn:css("p:has(b) + p", ex:html)'), ['"<p>B &amp; C</p>"']);
  });

  const layouts: readonly (readonly [string, string])[] = [
    ['<div></div>', '<div></div>'],
    ['<div>a<p>b</p>c</div>', '<div>\n a\n <p>b</p>c\n</div>'],
    ['<div> <b>x</b> y<!-- z --></div>', '<div> \n <b>x</b> y\n <!-- z -->\n</div>'],
    [
      '<div><span><custom>x</custom></span></div>',
      '<div>\n <span>\n  <custom>\n   x\n  </custom></span>\n</div>',
    ],
    [
      '<div><pre> a\n b</pre><textarea> c </textarea></div>',
      '<div>\n <pre> a\n b</pre>\n <textarea> c </textarea>\n</div>',
    ],
    [
      '<div><script>x < y</script><template><i>t</i></template></div>',
      '<div>\n <script>x < y</script>\n <template>\n  <i>t</i>\n </template>\n</div>',
    ],
    [
      '<div><input checked value="&quot;<&nbsp;" alt=""><br></div>',
      '<div>\n <input checked value="&quot;<&nbsp;" alt="">\n <br>\n</div>',
    ],
    ['<div>&lt;b&gt; &amp;&nbsp;</div>', '<div>\n &lt;b&gt; &amp;&nbsp;\n</div>'],
  ];
  for (const [html, expected] of layouts) {
    it(`serialises ${html} like jsoup`, () => {
      assert.deepEqual(results('fn:css("div", ex:html)', html), [expected]);
    });
  }

  it('limits the indentation', () => {
    const [markup] = results('fn:css("article", ex:html)', `<article>${'<div>'.repeat(400)}`);
    assert.ok(markup!.length < 400 * 2 * 40, `${markup!.length} characters`);
  });

  const page =
    '<div id=a class="X y" data-k="Foo bar"><p id=b class=x>one <b id=c>Two</b></p><p id=d lang=en-GB>three</p>' +
    '<p id=e class="x z">four <i id=f data-k=foo>Five5</i></p><span id=g></span><span id=h> </span>' +
    '<fb:name id=j>n</fb:name></div><p id=k><a id=l href="/rel">r</a><a id=m href="http://ex.org/A?b=c">(s)</a></p>';
  const matches: readonly (readonly [string, string])[] = [
    ['.x', 'abe'],
    ['.X.y', 'a'],
    ['p.x > b', 'c'],
    ['[^data-]', 'af'],
    ['[^DATA-]', 'af'],
    ['[data-k=foo bar]', 'a'],
    ['[ data-k = "FOO" ]', 'f'],
    ['[data-k^=fo]', 'af'],
    ['[data-k$=BAR]', 'a'],
    ['[data-k*=o b]', 'a'],
    ['[data-k!=foo]', 'abcdeghjklm'],
    ['[data-k~=o+$]', 'f'],
    ['[data-k~=(?i)^FOO]', 'af'],
    ['[id~=[a-c]]', 'abc'],
    ['[id~=^(a|m)$]', 'am'],
    ['[href=http://ex.org/a?b=c]', 'm'],
    ['[lang|=en]', 'd'],
    ['[data-k="foo" i]', 'f'],
    ['[id="]"], [id=b]', 'b'],
    ['[abs:href]', 'lm'],
    ['[abs:href^=http://example.org/rel]', 'l'],
    ['fb|name', 'j'],
    ['a:contains((S))', 'm'],
    ['p:contains(two)', 'b'],
    ['p:containsOwn(two)', ''],
    ['b:containsOwn(two)', 'c'],
    ['p:matches(^(one|three)\\b)', 'bd'],
    ['p:matchesOwn(^four$)', 'e'],
    ['i:matches(\\d$)', 'f'],
    ['div > :eq(1), div > :gt(3)', 'dhj'],
    ['p:lt(2):not(.x)', 'dk'],
    ['div :empty', 'g'],
    ['p:has(.X, b)', 'b'],
    ['div:not([data-k=x]) i[data-k]', 'f'],
  ];
  for (const [selector, expected] of matches) {
    it(`interprets ${selector} like jsoup`, () => {
      const graph = graphOf(
        `ex:d ex:html ${JSON.stringify(`<main>${page}</main>`)} ; ex:css ${JSON.stringify(selector)} .`,
      );
      const { fields, warnings } = run(graph, 'd', 'x = fn:css(ex:css, ex:html) ;');
      const ids = fields['x']!.map((markup) => /^"<[^>]* id="(\w)"/.exec(markup)?.[1] ?? '');
      assert.deepEqual([ids.join(''), warnings.length], [expected, 0]);
    });
  }

  it('finds elements by text regardless of case, like jsoup', () => {
    assert.deepEqual(select(data, 't', 'fn:css("p:contains(BOLD) > b", ex:html)'), ['"<b>bold</b>"']);
    assert.deepEqual(select(data, 't', 'fn:css("b:contains(x)", ex:html)'), []);
  });

  it('supports the positions that jsoup counts from 0', () => {
    assert.deepEqual(select(data, 't', 'fn:css("li:eq(1)", ex:list)'), ['"<li>2</li>"']);
    assert.deepEqual(select(data, 't', 'fn:css("li:gt(1)", ex:list)'), ['"<li>3</li>"']);
    assert.deepEqual(select(data, 't', 'fn:css("li:lt(1)", ex:list)'), ['"<li>1</li>"']);
  });

  it('skips a malformed selector with a warning', () => {
    const malformed =
      'p >|p[|:nonsense||p:eq(x)|p:contains()|p:matches([)|p:matches()|[=a]|[^]|[a=]|[a~=(]|p:contains(a'.split(
        '|',
      );
    for (const selector of malformed) {
      const { fields, warnings } = run(data, 't', `x = fn:css("${selector}", ex:html) ;`);
      assert.deepEqual([fields['x'], warnings.length], [[], 1], selector);
    }
  });
});

describe('any text', () => {
  const pieces =
    '<p>|</p>|<b>|</b>|<a href="http://e.org/">|<pre>|<ul><li>|<table>|<td>|<script>|<!--|-->|<x-y>|&lt;|&nbsp;|<br>|a| |\n|"|<';
  const markup = fc.string({ unit: fc.constantFrom(...pieces.split('|')), maxLength: 12 });

  it('has only allowed elements after cleaning, and keeps its text when cleaned again', () => {
    fc.assert(
      fc.property(markup, (html) => {
        const [cleaned] = results('fn:cleanHtml(ex:html)', html);
        const [text] = results('fn:htmlText(ex:html)', cleaned!);
        const [again] = results('fn:cleanHtml(ex:html)', cleaned!);
        assert.deepEqual(results('fn:htmlText(ex:html)', again!), [text]);
        assert.doesNotMatch(cleaned!, /<(?!\/?(?:p|b|a|pre|ul|li|br)[ >])/);
      }),
    );
  });

  it('is a valid selector or causes a warning', () => {
    const parts =
      'p|.x|#a|[|]|(|)|:|:not(|:has(|:contains(|:matches(|:eq(|:empty|::|=|~=|^|"|\\|,|>|+|~| |*|a|1|.|fb\\||abs:'.split(
        /(?<!\\)\|/,
      );
    const selector = fc.string({ unit: fc.constantFrom(...parts), maxLength: 8 });
    fc.assert(
      fc.property(selector, (css) => {
        const graph = graphOf(
          `ex:d ex:html "<p class=x><a id=a>1</a></p>" ; ex:css ${JSON.stringify(css)} .`,
        );
        const { fields, warnings } = run(graph, 'd', 'x = fn:css(ex:css, ex:html) ;');
        assert.ok(fields['x']!.length === 0 || warnings.length === 0);
      }),
    );
  });
});

describe('HTML documents', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['are too long', `${'x'.repeat(1024 * 1024 + 1)}`],
    ['have too many nodes', '<b></b>'.repeat(100_001)],
    ['have too many attributes', `<a ${Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(' ')}>`],
    ['are too deep', '<div>'.repeat(1000)],
  ];
  for (const [what, html] of refused) {
    it(`exceed the budget if they ${what}`, () => {
      for (const call of ['fn:htmlText(ex:html)', 'fn:cleanHtml(ex:html)', 'fn:css("b", ex:html)']) {
        assert.equal(errorOf(() => results(call, html)).code, 'budget-exceeded', call);
      }
    });
  }

  it('cannot be searched forever', () => {
    const graph = graphOf(`ex:d ex:html "${'<b><i></i></b>'.repeat(5000)}" .`);
    const search = () =>
      select(graph, 'd', 'fn:css("b:not(:has(~ u)) ~ b:has(~ u)", ex:html)', { steps: 100_000 });
    assert.equal(errorOf(search).code, 'budget-exceeded');
  });
});
