import type { Diagnostic } from "#core/diagnostics";
import type { BuiltGraph } from "#language/document/graph";
import { attributeOf } from "./model-call.ts";

/**
 * Errors for tables with `manual_split` that are made from an array: MindSpore 2.10 loads arrays in
 * equal slices only, and refuses.
 */
export function loadedData({ operatorOf }: Pick<BuiltGraph, "operatorOf">): readonly Diagnostic[] {
  return [...operatorOf.keys()].flatMap((traced): Diagnostic[] => {
    const [table] = traced.inputs;
    const said =
      attributeOf(traced, "manual_split") ?? attributeOf(traced, "manual_split_with_offset");
    if (said === undefined || table?.kind !== "tensor" || table.role !== "parameter") return [];
    if (table.hasData !== true) return [];
    const message = `"${said.name}": a Parameter that is made of an array is loaded in equal slices only; make it with initializer(…)`;
    return [
      {
        code: "mindspore/loaded-data",
        severity: "error",
        message,
        span: said.span,
        upstream: "RuntimeError",
      },
    ];
  });
}
