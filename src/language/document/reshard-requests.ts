import type { Diagnostic, Span } from "#core/diagnostics";
import { matcherOf } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { ReshardRequest } from "#core/plan";
import type { BuiltGraph } from "./build-graph.ts";
import { layoutFrom } from "./layout-from.ts";
import type { Trace } from "./trace.ts";
import type { TracedTensor } from "./traced.ts";

/** What `reshard(…)` asks, in the order of the text; gradients have names only in a training step. */
export function reshardsOf(
  trace: Trace,
  { graph }: BuiltGraph,
  mesh: DeviceMesh,
  names: ReadonlyMap<TracedTensor, string>,
  diagnostics: Diagnostic[],
): readonly ReshardRequest[] {
  return trace.reshards.flatMap((call): readonly ReshardRequest[] => {
    const target = typeof call.target === "string" ? call.target : (names.get(call.target) ?? "");
    const { steps, span } = call;
    const [tensor] = graph.tensors.filter(({ name }) => matcherOf(target)(name));
    const isGradient = trace.training.length > 0 && target.includes(".grad");
    if (tensor === undefined && !isGradient) {
      diagnostics.push(noSuchTensor(target, span));
      return [];
    }
    if (call.to === undefined) return [{ target, steps, span }];
    const rank = call.to.dims.length;
    const one = graph.tensors.find(({ name }) => name === target);
    const like = one ?? { name: target, shape: Array<number>(rank).fill(1), dimNames: [] };
    const to = layoutFrom(like, call.to, mesh, diagnostics);
    return to === undefined ? [] : [{ target, steps, to, span }];
  });
}

/** No tensor answers to a target. */
export function noSuchTensor(target: string, span: Span): Diagnostic {
  return {
    code: "document/no-such-tensor",
    severity: "error",
    message: `no tensor is called "${target}"`,
    span,
  };
}
