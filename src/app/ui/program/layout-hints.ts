import { type Hue, labelIn, type Notation } from "#app/scene";
import { type Compiled, shownLayout } from "#app/state";

/** A layout beside the line that makes a tensor. */
export interface LayoutHint {
  /** Somewhere on the line, as an offset into the text. */
  readonly at: number;
  readonly runs: readonly { readonly text: string; readonly hue?: Hue }[];
}

/** The layouts of all tensors that operators make, for the end of their lines. */
export function layoutHints(compiled: Compiled, notation: Notation): readonly LayoutHint[] {
  const seen = new Set<number>();
  const views = new Map(compiled.tensors.map((view) => [view.tensor, view]));
  return compiled.graph.tensors.flatMap((tensor) => {
    const view = views.get(tensor.id);
    const { span } = tensor;
    if (tensor.producer === undefined || span === undefined || view === undefined) return [];
    const line = compiled.source.lastIndexOf("\n", span.from);
    if (seen.has(line)) return [];
    seen.add(line);
    const runs = labelIn(notation, shownLayout(view), tensor.dimNames).map((segment) =>
      segment.kind === "axis" ? { text: segment.text, hue: segment.hue } : { text: segment.text },
    );
    return [{ at: span.from, runs }];
  });
}
