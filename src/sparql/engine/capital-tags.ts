/** Beyond this number of characters in all of them, each tag counts as one with capitals. */
const MOST_CHARACTERS = 10_000;

/**
 * The language tags that the data write with capital letters, such as `en-US`. Oxigraph writes all
 * tags in lower case.
 */
export class CapitalTags {
  /** In lower case. */
  readonly #tags = new Set<string>();
  #characters = 0;

  /** Restores the result of `text`. */
  static of(text: string): CapitalTags {
    const capitals = new CapitalTags();
    for (const tag of text.split(' ')) if (tag !== '') capitals.#add(tag);
    return capitals;
  }

  get text(): string {
    return [...this.#tags].join(' ');
  }

  /** Takes note of a tag of the data, or of an empty text. */
  note(tag: string): void {
    const small = tag.toLowerCase();
    if (small !== tag && !this.has(small)) this.#add(small);
  }

  /** Whether the data may write this tag, which is in lower case, with capitals. */
  has(tag: string): boolean {
    return this.#characters > MOST_CHARACTERS || this.#tags.has(tag);
  }

  #add(tag: string): void {
    this.#tags.add(tag);
    this.#characters += tag.length;
  }
}
