import { useState } from 'preact/hooks';
import type { NodeObject } from '../../../../../src/library/client/entry.ts';
import { shortened } from '../../../editor/ldpath/known-names.ts';
import type { Namespaces } from '../../../resources/prefixes.ts';
import { pageOf } from '../../../resources/address.ts';

interface NodeValueProps {
  readonly node: NodeObject;
  readonly known: Namespaces;
}

/** Characters of a text that are shown at first. */
const MAX_TEXT = 400;

/** One node of a result: its text, with the language or the type. */
export function NodeValue({ node, known }: NodeValueProps) {
  const { type, value, lang, direction, datatype } = node;
  if (type === 'uri') {
    return (
      <a href={pageOf(value)} title={value}>
        {shortened(value, known)}
      </a>
    );
  }
  if (type === 'bnode') return <a href={pageOf(`_:${value}`)}>_:{value}</a>;
  if (type === 'triple') return <code>{value}</code>;
  return (
    <span>
      <LiteralText text={value} direction={direction === 'ltr' || direction === 'rtl' ? direction : 'auto'} />
      {lang !== undefined && <span class="tag">@{direction ? `${lang}--${direction}` : lang}</span>}
      {datatype !== undefined && (
        <span class="tag" title={datatype}>
          {shortened(datatype, known)}
        </span>
      )}
    </span>
  );
}

interface LiteralTextProps {
  readonly text: string;
  readonly direction: 'ltr' | 'rtl' | 'auto';
}

function LiteralText({ text, direction }: LiteralTextProps) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= MAX_TEXT) {
    return (
      <span class="literal-text" dir={direction}>
        {text}
      </span>
    );
  }
  return (
    <>
      <span class="literal-text" dir={direction}>
        {text.slice(0, MAX_TEXT)}…
      </span>{' '}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </button>
    </>
  );
}
