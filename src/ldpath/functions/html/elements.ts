/** The layout of HTML elements. Names that are not in a list belong to unknown elements. */
function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Elements that start a new line: text in them is not part of the word before them. */
export const beginLine = names(
  'address article aside audio blockquote body br canvas caption col colgroup dd del details div dl dt fieldset ' +
    'figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html ins li link main math ' +
    'menu meta nav noframes noscript ol p plaintext pre s script section style svg table tbody td template tfoot th ' +
    'thead title tr ul video',
);

/**
 * Elements that markup writes within the lines of their parent. The contents of all other elements
 * are indented below them.
 */
export const inLine = names(
  'a abbr acronym address area b base basefont bdi bdo bgsound big br button cite code command data datalist del ' +
    'dfn em embed font h1 h2 h3 h4 h5 h6 i iframe img input ins kbd keygen label legend li map mark menuitem meter ' +
    'object optgroup option output p param pre progress q rp rt ruby s samp script select small source span strong ' +
    'style sub summary sup td textarea th time title track tt u var wbr',
);

/** Elements without an end tag. */
export const empty = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
);

/** Elements in which white space is significant. */
export const preformatted = names('plaintext pre textarea title');

/** Elements whose text is not meant for readers. */
export const unreadable = names('script style');

/** Elements whose text is not escaped. */
export const rawText = names('iframe noembed noframes plaintext script style xmp');

/** Attributes that do not need a value. */
export const flags = names(
  'allowfullscreen async autofocus checked compact declare default defer disabled formnovalidate hidden inert ismap ' +
    'itemscope multiple muted nohref noresize noshade novalidate nowrap open readonly required reversed seamless ' +
    'selected sortable truespeed typemustmatch',
);
