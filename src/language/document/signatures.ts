import type { Checked } from "#core/diagnostics";
import {
  type Argument,
  type Bound,
  bindFirst,
  type Kwargs,
  type OpAnno,
  parseAnnotation,
} from "#core/dimops";

/** Annotations that are remembered, and bindings; with more, all are forgotten. */
const mostParsed = 5_000;
const mostBound = 20_000;

/**
 * Annotations as they are parsed and bound, each once: the layers of a model call the same
 * operators on the same shapes, and equal calls share one `Bound`, from one reading of a text that
 * is edited to the next.
 */
export class Signatures {
  private readonly parsed = new Map<string, Checked<OpAnno>>();
  private readonly bound = new Map<string, Bound | undefined>();

  parse(text: string): Checked<OpAnno> {
    const known = this.parsed.get(text);
    if (known !== undefined) return known;
    if (this.parsed.size >= mostParsed) this.parsed.clear();
    const parsed = parseAnnotation(text);
    this.parsed.set(text, parsed);
    return parsed;
  }

  /** The first candidate that fits, bound; `undefined` when none does. */
  bind(texts: readonly string[], inputs: readonly Argument[], kwargs: Kwargs): Bound | undefined {
    const key = keyOf(texts, inputs, kwargs);
    const known = this.bound.get(key);
    if (known !== undefined || this.bound.has(key)) return known;
    const candidates: OpAnno[] = [];
    for (const text of texts) {
      const read = this.parse(text);
      if (read.ok) candidates.push(read.value);
    }
    const binding = bindFirst(candidates, inputs, kwargs);
    const bound = binding.ok ? binding.value : undefined;
    if (this.bound.size >= mostBound) this.bound.clear();
    this.bound.set(key, bound);
    return bound;
  }
}

/** A text that calls with the same annotations and arguments share. */
function keyOf(texts: readonly string[], inputs: readonly Argument[], kwargs: Kwargs): string {
  let key = "";
  for (const text of texts) key += `${text};`;
  for (const input of inputs)
    key += input.kind === "tensor" ? `${input.shape.join()};` : `${JSON.stringify([input.value])};`;
  return key + JSON.stringify(kwargs);
}
