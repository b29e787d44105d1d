/** Yields the lines of a text in UTF-8. If the reader stops early, the stream is cancelled. */
export async function* linesIn(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const parts = decoder.decode(chunk.value, { stream: true }).split('\n');
      for (let i = 0; i < parts.length - 1; i++) {
        yield pieces.join('') + parts[i]!;
        pieces = [];
      }
      pieces.push(parts.at(-1)!);
    }
    const rest = pieces.join('') + decoder.decode();
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
