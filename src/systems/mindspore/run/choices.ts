import type { Operator } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import type { ProgramRead, SystemChoice, SystemChoices } from "#systems/system";
import { searchChoice } from "../plans/search-notes.ts";

const ways: Readonly<Record<string, string>> = {
  sharding_propagation:
    "From the operators with a strategy it reaches the others one by one; each takes the strategy with the least redistribution. Computation and memory do not count.",
  recursive_programming:
    "It halves the devices again and again, and cuts each MatMul where i·j/2, i·k/2 or j·k/8 is least; the others follow. It counts neither latency nor the machine.",
};

/** The choices of the mode of a text; none where its mode does not search or leaves nothing open. */
export function choicesOf({
  graph,
  plan,
  diagnostics,
  read,
}: ProgramRead): SystemChoices | undefined {
  if (!diagnostics.some(({ code }) => code === "mindspore/search-choice")) return undefined;
  const { trace, built, mesh } = read();
  const found = searchChoice(trace, built, mesh.mesh);
  if (found === undefined) return undefined;
  const operators = new Map(graph.operators.map((operator) => [operator.name, operator]));
  const chosen = found.chosen.flatMap(({ name, text }): SystemChoice[] => {
    const operator = operators.get(name);
    if (operator === undefined) return [];
    const ours = cutsText(operator, plan.operators.get(operator.id));
    return [{ name, op: operator.op, theirs: text, ours }];
  });
  return { mode: found.mode, how: fieldOf(ways, found.mode) ?? "", chosen };
}

function cutsText(operator: Operator, plan: OperatorPlan | undefined): string {
  const cuts = operator.axes.flatMap(({ name }) => {
    const axes = (fieldOf(plan?.strategy.cuts, name) ?? []).flatMap((part) =>
      part.kind === "axis" ? [part.axis] : [],
    );
    return axes.length === 0 ? [] : [`${name} over ${axes.join(", ")}`];
  });
  return cuts.join("; ") || "whole";
}
