import { bytesOf } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Redistribution, SpmdProgram, ValueId } from "#core/program";
import { dtensorReshard } from "#systems/dtensor";
import { mindsporeReshard } from "#systems/mindspore";
import { nnscalerReshard } from "#systems/nnscaler";
import { shardyReshard } from "#systems/shardy";
import type { PolicyOutcome } from "./compiled.ts";

const policies = [
  { policy: "shardy", reshard: shardyReshard },
  { policy: "dtensor", reshard: dtensorReshard },
  { policy: "mindspore", reshard: mindsporeReshard },
  { policy: "nnscaler", reshard: nnscalerReshard },
] as const;

/**
 * What other systems' own lowerings would do on the edge of one redistribution (redistribution.md
 * §2.1, §2.2, mindspore.md §3, dimops.md §6), priced as ours. It is asked only for what is looked
 * at, since a program of many edges would wait for answers that nobody reads.
 */
export function comparePolicies(
  { values, graph }: SpmdProgram,
  { input, output, tensor: id }: Redistribution,
): readonly PolicyOutcome[] {
  const layoutOf = (value: ValueId) => values.find((each) => each.id === value)?.layout;
  const [from, to] = [layoutOf(input), layoutOf(output)];
  const tensor = graph.tensors.find((each) => each.id === id);
  if (from === undefined || to === undefined || tensor === undefined) return [];
  return outcomesOf(from, to, tensor.shape, bytesOf(tensor.dtype));
}

function outcomesOf(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bytesPerElement: number,
): readonly PolicyOutcome[] {
  return policies.map(({ policy, reshard }): PolicyOutcome => {
    const checked = reshard(from, to, shape, { bytesPerElement });
    if (!checked.ok) {
      return { kind: "declined", policy, reason: checked.diagnostics[0]?.message ?? "" };
    }
    const { steps, bytes, seconds } = checked.value;
    const sent = steps.filter(({ collective }) => collective !== "slice");
    return {
      kind: "planned",
      policy,
      steps: sent.map(({ collective, axes }) => ({ collective, axes })),
      bytes,
      seconds,
    };
  });
}
