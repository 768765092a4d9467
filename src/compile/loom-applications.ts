import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { Document } from "#language/document";
import { gridOfShards, type LoomOperationView, type LoomReading } from "#systems/loom";
import { type Grid, meshOfGrids } from "./mesh-of-grids.ts";
import { cutsText, quoted, writtenAxes } from "./plan-text.ts";

/** Meshes beyond this are no plan that somebody means. */
const mostDevices = 4096;

/**
 * Where Applications say how operations are split and no plan says it: the plan that they are, as a
 * fix of the plan text. Operations whose Applications are no grid of equal pieces are left out, and
 * said.
 */
export function planOfApplications(
  { operations }: LoomReading,
  { source, mesh, requests, graph }: Document,
): readonly Diagnostic[] {
  const isPlanned = requests.operators.size > 0 || requests.placements.size > 0;
  if (isPlanned || mesh.status !== "assumed") return [];
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const read = operations.flatMap((operation) => {
    const operator = operators.get(operation.operator);
    return operator === undefined || operation.shards.length < 2
      ? []
      : [{ operation, operator, grid: gridIn(operation) }];
  });
  const regular = read.flatMap(({ operator, operation, grid }) =>
    grid.ok
      ? [{ operator, axes: operation.axes, grid: gridOf(operator, operation, grid.counts) }]
      : [],
  );
  const irregular = read.flatMap(({ operator, grid }) =>
    grid.ok ? [] : [notAPlan(operator, grid.why)],
  );
  return [...writePlan(source, regular), ...irregular];
}

function gridIn({ index, shards, axes }: LoomOperationView) {
  if (index === undefined) return { ok: false, why: "it has no index" } as const;
  return gridOfShards(
    index,
    shards.map((shard) => shard.index),
    axes,
  );
}

/** A grid with the dims of tensors along which its axes run. */
function gridOf(
  { inputs, outputs }: Operator,
  { axes }: LoomOperationView,
  counts: readonly number[],
): Grid {
  const dims = axes.map((name) =>
    [...inputs, ...outputs].flatMap(({ tensor, dims: all }) =>
      all.flatMap(({ splittable }, dim) => (splittable === name ? [`${tensor} ${dim}`] : [])),
    ),
  );
  return { counts, dims };
}

interface Regular {
  readonly operator: Operator;
  readonly axes: readonly string[];
  readonly grid: Grid;
}

function writePlan(source: string, regular: readonly Regular[]): readonly Diagnostic[] {
  const { axes, cuts } = meshOfGrids(regular.map(({ grid }) => grid));
  const devices = axes.reduce((product, { size }) => product * size, 1);
  if (devices === 1 || devices > mostDevices) return [];
  const strategies = regular.flatMap(({ operator, axes: names }, at) => {
    const own = names.flatMap((name, axis) => {
      const text = writtenAxes(cuts[at]?.[axis] ?? []);
      return text === undefined ? [] : [{ name, text }];
    });
    return own.length === 0 ? [] : [`strategy(${quoted(operator.name)}, ${cutsText(own)})`];
  });
  const settings = axes.map(({ name, size }) => `${name}=${size}`).join(", ");
  const lead = source === "" || source.endsWith("\n") ? "" : "\n";
  const text = `${lead}${[`mesh = Mesh(${settings})`, ...strategies, ""].join("\n")}`;
  const edits = [{ from: source.length, to: source.length, text }];
  const count = strategies.length;
  return [
    {
      code: "loom/applications-unplanned",
      severity: "info",
      message: `the Applications of ${count === 1 ? "1 operation" : `${count} operations`} split the work over ${devices} devices, but the plan beside the graph does not say so, so every operation is drawn whole`,
      text: "plan",
      fixes: [{ title: "Write the plan that these Applications are", edits }],
    },
  ];
}

function notAPlan({ name, span }: Operator, why: string): Diagnostic {
  return {
    code: "loom/applications-irregular",
    severity: "info",
    message: `the Applications of "${name}" are no plan for a mesh: ${why}`,
    ...(span !== undefined && { span }),
  };
}
