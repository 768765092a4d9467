import type { Cost, Memory } from "#core/cost";
import { type Graph, unknownTensor } from "#core/ir";

/**
 * Figures of a program, with `NaN` for those that depend on a tensor of unknown shape: the total
 * times and bytes, and the peak. Bytes of parameters and inputs stay known if all their shapes are.
 */
export function withUnknownFigures<T extends { readonly cost: Cost; readonly memory: Memory }>(
  graph: Graph,
  found: T,
): T {
  if (unknownTensor(graph) === undefined) return found;
  const isUnknown = (role: string) =>
    graph.tensors.some((tensor) => tensor.role === role && tensor.isUnknown);
  const unknown = { seconds: NaN, computeSeconds: NaN, communicationSeconds: NaN, bytes: NaN };
  const peak = {
    ...{ peakBytes: NaN, activationBytes: NaN, workspaceBytes: NaN, reservedBytes: NaN },
    ...{ afterForwardBytes: NaN, curve: [] },
  };
  const memory = {
    ...{ ...found.memory, ...peak },
    ...(isUnknown("input") && { inputBytes: NaN }),
    ...(isUnknown("parameter") && { parameterBytes: NaN, gradientBytes: NaN, optimizerBytes: NaN }),
  };
  return { ...found, cost: { ...found.cost, ...unknown }, memory };
}
