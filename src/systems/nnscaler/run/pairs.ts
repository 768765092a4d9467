import type { Split } from "#core/dimops";
import type { OperatorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { flatSteps, type Redistribution, type SpmdProgram } from "#core/program";
import { fusedPair } from "../fused-pair.ts";

/**
 * nnScaler's name for the adapter of a redistribution together with its backward half (dimops.md
 * §6.3); `undefined` if the adapter communicates nothing, and for tensors that no forward operator
 * reads.
 */
export function pairNames(
  program: SpmdProgram,
): (redistribution: Redistribution) => string | undefined {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const replicated = new Map<OperatorId, boolean>();
  const makers = new Map<string, OperatorId>();
  for (const step of flatSteps(program)) {
    if (step.kind !== "local" || step.phase !== "forward") continue;
    const cuts = Object.values(step.strategy.cuts);
    replicated.set(
      step.operator,
      cuts.every((parts) => parts.length === 0),
    );
    for (const output of step.outputs) makers.set(output, step.operator);
  }
  return ({ input, output, reasons: [reason] }) => {
    const [from, to] = [layouts.get(input), layouts.get(output)];
    const maker = makers.get(input);
    const reader = reason?.kind === "operand" ? replicated.get(reason.operator) : undefined;
    if (from === undefined || to === undefined || reader === undefined) return undefined;
    const isReplicated = maker !== undefined && replicated.get(maker) === true;
    return fusedPair(
      { split: splitOf(from), isReplicated },
      { split: splitOf(to), isReplicated: reader },
    ).name;
  };
}

function splitOf({ dims, partials }: Layout): Split {
  if (partials.length > 0) return { kind: "V" };
  const cut = dims.flatMap(({ parts }, dim) => (parts.length > 0 ? [dim] : []));
  return cut.length > 0 ? { kind: "D", dims: cut } : { kind: "R" };
}
