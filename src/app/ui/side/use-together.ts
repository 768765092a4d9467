import type { AppState } from "#app/state";
import type { TensorId } from "#core/ir";
import { useApp } from "../store-context.tsx";

/**
 * The number of equal blocks that a change of a tensor affects; undefined where it affects that one
 * alone.
 */
export function useTogether(tensor: TensorId): number | undefined {
  return useApp((state) => togetherOf(state, tensor));
}

function togetherOf({ laidOut, singleRuns }: AppState, tensor: TensorId): number | undefined {
  for (const node of laidOut?.layout.nodes ?? []) {
    if (node.kind === "stack" && node.stack.runs.some(({ tensors }) => tensors.includes(tensor))) {
      return node.stack.together;
    }
    if (node.kind !== "run" || !node.run.tensors.includes(tensor)) continue;
    return singleRuns.has(node.run.key) ? undefined : node.run.together;
  }
  return undefined;
}
