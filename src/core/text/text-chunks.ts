/** Length of the chunks in which long texts are sent and compressed, in UTF-16 units. */
export const chunkLength = 131_072;

/** Puts short pieces of a text together, and cuts long ones, not within a character. */
export function* chunksOf(pieces: readonly string[]): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    while (chunk.length >= chunkLength) {
      const end = isHighSurrogate(chunk.charCodeAt(chunkLength - 1))
        ? chunkLength - 1
        : chunkLength;
      yield chunk.slice(0, end);
      chunk = chunk.slice(end);
    }
  }
  if (chunk !== "") yield chunk;
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
