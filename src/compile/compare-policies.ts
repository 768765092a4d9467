import { bytesOf } from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import type { Redistribution, SpmdProgram } from "#core/program";
import { dtensorReshard } from "#systems/dtensor";
import { mindsporeReshard } from "#systems/mindspore";
import { shardyReshard } from "#systems/shardy";
import type { PolicyOutcome } from "./compiled.ts";

const policies = [
  { policy: "shardy", reshard: shardyReshard },
  { policy: "dtensor", reshard: dtensorReshard },
  { policy: "mindspore", reshard: mindsporeReshard },
] as const;

/**
 * What other systems' own lowerings would do on the same edges, by redistribution (redistribution.md
 * §2.1, §2.2, mindspore.md §3), priced as ours. Equal edges are asked once.
 */
export function comparePolicies(program: SpmdProgram): readonly (readonly PolicyOutcome[])[] {
  const known = new Map<string, readonly PolicyOutcome[]>();
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return program.redistributions.map(({ input, output, tensor: id }: Redistribution) => {
    const [from, to] = [values.get(input)?.layout, values.get(output)?.layout];
    const tensor = tensors.get(id);
    if (from === undefined || to === undefined || tensor === undefined) return [];
    const key = [layoutKey(from), layoutKey(to), tensor.shape.join(), tensor.dtype].join(";");
    const outcomes = known.get(key) ?? outcomesOf(from, to, tensor.shape, bytesOf(tensor.dtype));
    known.set(key, outcomes);
    return outcomes;
  });
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
