/** Longer lines are not read: a request is a text of 256 kB with little beside it. */
const mostCharacters = 16_000_000;

/** A line of a stream without its end, or that there was one which is too long. */
export type Line =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "too-long"; readonly most: number };

/**
 * The lines of a stream as they come, each ended by a line feed; a carriage return before it, and a
 * byte order mark before all, are left out. Whatever else ends lines elsewhere may stand inside the
 * JSON of a line.
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

/** A line that comes in pieces; of one that is too long nothing is kept. */
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
