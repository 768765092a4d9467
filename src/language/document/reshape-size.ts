import type { Diagnostic } from "#core/diagnostics";
import { shapeOf } from "./build-graph.ts";
import type { TracedOperator, TracedTensor } from "./trace.ts";

/** A reshape keeps the number of elements; where sizes are assumed, nobody knows it yet. */
export function reshapeFaults(
  operators: Iterable<TracedOperator>,
  names: ReadonlyMap<TracedTensor, string>,
): readonly Diagnostic[] {
  return [...operators].flatMap((traced): Diagnostic[] => {
    const [from] = traced.inputs;
    const [to] = traced.outputs;
    if (traced.entry !== "reshape" || from?.kind !== "tensor" || to === undefined) return [];
    const [before, after] = [shapeOf(from), shapeOf(to)];
    if (from.shapeStatus === "assumed" || count(before) === count(after)) return [];
    const name = names.get(from) ?? traced.stem;
    return [
      {
        code: "document/reshape-size",
        severity: "error",
        message: `"${name}" has ${written(before)} elements, which do not fit into ${written(after)}`,
        span: traced.span,
        upstream: "RuntimeError",
      },
    ];
  });
}

function count(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** `8 × 16 = 128`. */
function written(shape: readonly number[]): string {
  return shape.length < 2 ? String(count(shape)) : `${shape.join(" × ")} = ${count(shape)}`;
}
