import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorOf, graphOf, run, select } from '../support.ts';

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
  it('gives the text without scripts, styles and superfluous white space', () => {
    assert.deepEqual(select(data, 't', 'fn:htmlText(ex:html)'), ['"T A bold B & C"']);
    assert.deepEqual(results('fn:htmlText(ex:html)', '<p>a<br>b</p>c<i>d</i>\n e<style>p{}</style>'), [
      'a b cd e',
    ]);
    assert.deepEqual(results('fn:htmlText(ex:html)', ''), ['']);
    assert.deepEqual(select(data, 't', 'fn:htmlText(ex:missing)'), []);
  });
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
      '<a rel="nofollow">x</a><a href="mailto:a@b.c" rel="nofollow">y</a>',
    ],
    [
      '<blockquote cite="javascript:x">a</blockquote><q cite="http://ex.org/">b</q>',
      '<blockquote>a</blockquote><q cite="http://ex.org/">b</q>',
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
    ['a < b &lt;script&gt; <b>open', 'a &lt; b &lt;script&gt; <b>open</b>'],
  ];
  for (const [html, expected] of cases) {
    it(`makes of ${html}: ${expected}`, () => {
      assert.deepEqual(results('fn:cleanHtml(ex:html)', html), [expected]);
    });
  }
});

describe('fn:css', () => {
  it('gives the markup of matches, documents first, then selectors as written', () => {
    assert.deepEqual(select(data, 't', 'fn:css("p.k > b", ex:html)'), ['"<b>bold</b>"']);
    assert.deepEqual(select(data, 't', 'ex:html/fn:css("h1")'), ['"<h1 id="h">T</h1>"']);
    assert.deepEqual(select(data, 't', 'fn:css(fn:split("h1,b", ","), ex:list | ex:html)'), [
      '"<h1 id="h">T</h1>"',
      '"<b>bold</b>"',
    ]);
    assert.deepEqual(select(data, 't', 'fn:css("p:has(b) + p", ex:html)'), ['"<p>B &amp; C</p>"']);
  });

  it('finds elements by text in any case, as jsoup does', () => {
    assert.deepEqual(select(data, 't', 'fn:css("p:contains(BOLD) > b", ex:html)'), ['"<b>bold</b>"']);
    assert.deepEqual(select(data, 't', 'fn:css("b:contains(x)", ex:html)'), []);
  });

  it('knows the positions that jsoup counts from 0', () => {
    assert.deepEqual(select(data, 't', 'fn:css("li:eq(1)", ex:list)'), ['"<li>2</li>"']);
    assert.deepEqual(select(data, 't', 'fn:css("li:gt(1)", ex:list)'), ['"<li>3</li>"']);
    assert.deepEqual(select(data, 't', 'fn:css("li:lt(1)", ex:list)'), ['"<li>1</li>"']);
  });

  it('skips a malformed selector with a warning', () => {
    for (const selector of ['p >', 'p[', ':nonsense', '']) {
      const { fields, warnings } = run(data, 't', `x = fn:css("${selector}", ex:html) ;`);
      assert.deepEqual([fields['x'], warnings.length], [[], 1], selector);
    }
  });
});

describe('HTML documents', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['too long', `${'x'.repeat(1024 * 1024 + 1)}`],
    ['too many nodes', '<b></b>'.repeat(100_001)],
    ['too many attributes', `<a ${Array.from({ length: 20_000 }, (_, i) => `a${i}`).join(' ')}>`],
    ['too deep', '<div>'.repeat(1000)],
  ];
  for (const [what, html] of refused) {
    it(`${what} exceed the budget`, () => {
      for (const call of ['fn:htmlText(ex:html)', 'fn:cleanHtml(ex:html)', 'fn:css("b", ex:html)']) {
        assert.equal(errorOf(() => results(call, html)).code, 'budget-exceeded', call);
      }
    });
  }

  it('are not searched for ever', () => {
    const graph = graphOf(`ex:d ex:html "${'<b><i></i></b>'.repeat(5000)}" .`);
    const search = () =>
      select(graph, 'd', 'fn:css("b:not(:has(~ u)) ~ b:has(~ u)", ex:html)', { steps: 100_000 });
    assert.equal(errorOf(search).code, 'budget-exceeded');
  });
});
