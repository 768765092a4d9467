/** Most characters of a line: a request is a text of at most 256 kB plus a few fields. */
const mostCharacters = 16_000_000;

/** A line of a stream without its line end, or a note that a line was too long. */
export type Line =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "too-long"; readonly most: number };

/**
 * Lines of a stream as they arrive, each ended by a line feed. A carriage return before it and a
 * leading byte order mark are dropped. Other line separators may occur inside a line's JSON.
 */
export async function* linesOf(
  input: AsyncIterable<string | Buffer>,
  most = mostCharacters,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const line = new GrowingLine(most);
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    for (const [at, piece] of text.split("\n").entries()) {
      if (at > 0) yield line.take();
      line.add(piece);
    }
  }
  line.add(decoder.decode());
  if (line.length > 0) yield line.take();
}

/** A line that arrives in pieces; nothing is kept of a line that is too long. */
class GrowingLine {
  length = 0;
  private readonly most: number;
  private readonly pieces: string[] = [];

  constructor(most: number) {
    this.most = most;
  }

  add(piece: string): void {
    this.length += piece.length;
    if (this.length > this.most) this.pieces.length = 0;
    else this.pieces.push(piece);
  }

  take(): Line {
    const text = this.pieces.join("");
    const isTooLong = this.length > this.most;
    this.pieces.length = 0;
    this.length = 0;
    if (isTooLong) return { kind: "too-long", most: this.most };
    return { kind: "line", text: text.endsWith("\r") ? text.slice(0, -1) : text };
  }
}
