import type { LocalStep } from "#core/program";
import type { OperatorScope } from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { followsPlan } from "./follows.ts";
import { placementsText, type RankMesh } from "./rank-mesh.ts";

/**
 * Lines of an operator on DTensors: called directly if DTensor cuts it as the plan does, else with
 * `local_map` on the blocks of the plan's strategy.
 */
export function operatorLines(
  step: LocalStep,
  scope: OperatorScope,
  ranks: RankMesh,
): readonly string[] {
  if (followsPlan(step, scope)) return scope.onWhole();
  const { inputs, outputs, onBlocks, operator } = scope;
  const placed = (ids: LocalStep["inputs"]) =>
    ids.map((id) => placementsText(ranks.placementsOf(scope.layoutOf(id), operator.name)));
  const [first = "", ...others] = placed(step.outputs);
  const out = others.length === 0 ? first : tuple([first, ...others]);
  const given = [...new Map(inputs.map((name, at) => [name, placed(step.inputs)[at] ?? ""]))];
  const names = given.map(([name]) => name).join(", ");
  const onEach = tuple(given.map(([, placements]) => placements));
  const lines = onBlocks();
  const [only = ""] = lines;
  const isExpression = lines.length === 1 && only.startsWith(`${outputs[0]} = `);
  const [expression, comment] = only.slice((outputs[0]?.length ?? 0) + 3).split("  # ");
  const note = comment === undefined ? "" : `  # ${comment}`;
  const body = isExpression
    ? [`    return ${expression}${note}`]
    : [...lines.map((line) => `    ${line}`), `    return ${outputs.join(", ")}`];
  return [
    `def on_blocks(${names}):`,
    ...body,
    `${outputs.join(", ")} = local_map(`,
    `    on_blocks, out_placements=${out}, in_placements=${onEach}, device_mesh=mesh`,
    `)(${names})`,
  ];
}
