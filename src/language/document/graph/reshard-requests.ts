import type { Diagnostic, Span } from "#core/diagnostics";
import { wildcardMatcher } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { ReshardRequest } from "#core/plan";
import type { Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { BuiltGraph } from "./build-graph.ts";
import { layoutFrom } from "./layout-from.ts";

/**
 * Redistributions that `reshard(…)` requests, in text order. Gradients have names only in a
 * training step.
 */
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
    const [tensor] = graph.tensors.filter(({ name }) => wildcardMatcher(target)(name));
    const isGradient = trace.training.length > 0 && target.includes(".grad");
    if (tensor === undefined && !isGradient) {
      diagnostics.push(noSuchTensor(target, span, graph.tensors));
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

/**
 * Error for a target that names no tensor. For a parameter of one expert it names the stack of all
 * experts.
 */
export function noSuchTensor(
  target: string,
  span: Span,
  tensors: readonly { readonly name: string }[],
): Diagnostic {
  const stack = tensors.find(({ name }) => name.includes("*") && standsFor(name, target));
  const of =
    stack === undefined
      ? ""
      : `: those of all experts are one tensor here, "${stack.name}", with the experts as its first dim`;
  const message = `no tensor is called "${target}"${of}`;
  return { code: "document/no-such-tensor", severity: "error", message, span };
}

/** Whether a name with `*` in place of numbers matches a name with numbers. */
function standsFor(stack: string, target: string): boolean {
  const parts = (name: string) => name.replace(/\.(\d+|\*)(?=\.|$)/g, "[$1]").split(/\[(\d+|\*)\]/);
  const [own, asked] = [parts(stack), parts(target)];
  return (
    own.length === asked.length &&
    own.every((part, at) => (part === "*" ? /^\d+$/.test(asked[at] ?? "") : part === asked[at]))
  );
}
