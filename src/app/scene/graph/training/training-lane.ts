import type { Compiled } from "#compile";
import type { CanvasNode, LaneHead } from "../canvas.ts";
import { canvasEdge, type RoutedEdge } from "../canvas-parts.ts";
import { canvasSizes } from "../canvas-sizes.ts";
import type { Flow } from "../flow.ts";
import type { Ranking } from "../ranks.ts";
import { type Badges, withName } from "../redistribution-badge.ts";
import { tensorsOf } from "../tensor-caption.ts";
import { type Band, laneBoxes, laneNames } from "./training-boxes.ts";
import { type LaneCells, laneCells, laneWidths } from "./training-cells.ts";
import { laneRoom, laneRoutes } from "./training-edges.ts";
import { trainingFlowOf } from "./training-flow.ts";
import { badgeKey } from "./training-items.ts";
import { laneSizes } from "./training-sizes.ts";

/** The lane of a training step before coordinates; `undefined` if the program is not trained. */
export function laneOf(compiled: Compiled, flow: Flow, ranking: Ranking): LaneCells | undefined {
  const training = trainingFlowOf(compiled, flow);
  return training === undefined ? undefined : laneCells(training, ranking);
}

/** The nodes, edges and heads that a lane adds to a drawing. */
export interface LaneParts {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly RoutedEdge[];
  readonly heads: readonly LaneHead[];
}

interface Beside {
  readonly flow: Flow;
  readonly badges: Badges;
  /** Vertical band of each rank of the forward program. */
  readonly bands: ReadonlyMap<number, Band>;
  readonly nodes: readonly CanvasNode[];
  readonly height: number;
}

/**
 * Draws a training step beside its forward program: gradients at the height of their forward
 * operators, flowing up, and at their right the reductions and the updates.
 */
export function laneBeside(compiled: Compiled, lane: LaneCells, beside: Beside): LaneParts {
  const { flow, bands, height } = beside;
  const badges = laneBadges(compiled, lane, beside);
  const widths = laneWidths(compiled, lane, badges, laneNames(compiled, flow).tensor);
  const { least, end } = reachOf(beside.nodes);
  const common = { compiled, flow, lane, bands, badges, widths };
  const routed = (gradients: number, updates: number) => {
    const boxes = laneBoxes({ ...common, at: { gradients, updates } });
    const gradientsEnd = gradients + widths.gradients;
    return { training: lane.training, boxes, gradients, gradientsEnd, updates };
  };
  const far = widths.gradients + 10_000;
  const room = laneRoom(routed(0, far));
  const gradients = end + laneSizes.channel + laneSizes.tie + room.left * laneSizes.line;
  const updates = gradients + widths.gradients + 2 * laneSizes.tie + room.right * laneSizes.line;
  const placed = routed(gradients, updates);
  const head = (text: string, x: number, width: number, isParted: boolean): LaneHead => {
    const y = canvasSizes.margin - 4;
    return { text, x, y, width, height: height - 2 * y, isParted };
  };
  const start = end + laneSizes.channel / 2;
  const { microbatches } = compiled.program;
  const times = microbatches === undefined ? "" : ` ×${microbatches.count}`;
  return {
    nodes: placed.boxes.nodes,
    edges: [...seedTies(compiled, beside.nodes, placed.boxes), ...laneRoutes(placed)],
    heads: [
      head(`Forward ↓${times}`, least, start - least, false),
      head(`Gradients ↑${times}`, start, gradients + widths.gradients - start, true),
      head("Updates", updates, widths.updates, false),
    ],
  };
}

/**
 * Badges without an incoming line name their tensor; "again" marks a parameter gathered once more,
 * since its copies from the forward pass are freed.
 */
function laneBadges(
  { program }: Compiled,
  { training }: LaneCells,
  { flow, badges }: Pick<Beside, "flow" | "badges">,
): Badges {
  const tensors = tensorsOf(program.graph);
  const reached = new Set(training.edges.map(({ to }) => to));
  const before = new Set(flow.redistributions.map(({ redistribution }) => redistribution.tensor));
  const names = new Map(
    training.badges.flatMap(({ redistribution: { index, tensor } }) => {
      if (reached.has(badgeKey(index))) return [];
      const name = tensors.get(tensor)?.name ?? tensor;
      return [[index, before.has(tensor) ? `${name} again` : name] as const];
    }),
  );
  return (index) => {
    const [badge, name] = [badges(index), names.get(index)];
    return badge === undefined || name === undefined ? badge : withName(badge, name);
  };
}

/** Horizontal extent of the forward program. */
function reachOf(nodes: readonly CanvasNode[]): { readonly least: number; readonly end: number } {
  const reach = { least: 0, end: 0 };
  for (const { x, width } of nodes) {
    reach.least = Math.min(reach.least, x);
    reach.end = Math.max(reach.end, x + width);
  }
  return reach;
}

/**
 * Ties from a loss down and across to its gradient if nothing is in the way: the turn from the
 * forward to the backward pass.
 */
function seedTies(
  { program }: Compiled,
  forward: readonly CanvasNode[],
  { blocks, byKey }: ReturnType<typeof laneBoxes>,
): readonly RoutedEdge[] {
  const of = new Map(program.graph.tensors.map(({ id, gradientOf }) => [id, gradientOf]));
  return blocks.flatMap(({ key, item, results }): readonly RoutedEdge[] => {
    const seed = item === undefined ? byKey.get(key) : undefined;
    const [tensor] = results;
    const loss = tensor === undefined ? undefined : of.get(tensor);
    const from = forward.find((node) => node.kind === "tensor" && node.tensor === loss);
    if (seed === undefined || tensor === undefined || from?.kind !== "tensor") return [];
    const [x, y] = [from.x + from.caption.glyph.width / 2, from.y + from.height];
    const goal = seed.y + seed.height / 2;
    const isCovered = forward.some(
      (node) =>
        node !== from &&
        node.x + node.width > x - 4 &&
        node.y < goal + 4 &&
        y < node.y + node.height,
    );
    if (from.side !== "right" || goal < y + 8 || isCovered) return [];
    const points = [
      { x, y },
      { x, y: goal },
      { x: seed.x, y: goal },
    ];
    return [canvasEdge(from, seed, tensor, points, false)];
  });
}
