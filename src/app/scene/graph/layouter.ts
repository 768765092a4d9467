import { type Compiled, shareStructure } from "#compile";
import type { CanvasLayout } from "./canvas.ts";
import { layoutGraph } from "./layout-graph.ts";

/** Lays out successive versions of a program; `open` holds the keys of open runs. */
export type Layouter = (compiled: Compiled, open: readonly string[]) => CanvasLayout;

type Parts = Pick<Compiled, "graph" | "program" | "tensors" | "mesh">;

/**
 * A layouter that remembers its last layout. A version that differs only in text, spans or
 * diagnostics returns the same object; any other shares all unmoved boxes with the last layout.
 */
export function createLayouter(): Layouter {
  let last:
    | { readonly parts: Parts; readonly open: string; readonly layout: CanvasLayout }
    | undefined;
  return (compiled, openRuns) => {
    const { graph, program, tensors, mesh } = compiled;
    const fresh: Parts = { graph, program, tensors, mesh };
    const open = openRuns.toSorted().join("\n");
    const parts = last === undefined ? fresh : shareStructure(last.parts, fresh);
    if (last?.parts === parts && last.open === open) return last.layout;
    const layout = layoutGraph(compiled, new Set(openRuns));
    last = {
      parts,
      open,
      layout: last === undefined ? layout : shareStructure(last.layout, layout),
    };
    return last.layout;
  };
}
