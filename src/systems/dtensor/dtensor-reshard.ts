import { type Collective, groupsOf, type LayoutStep, type Move } from "#core/collective";
import { type Checked, failed, passed } from "#core/diagnostics";
import type { Layout, Part } from "#core/mesh";
import { type PricedSteps, type PriceOptions, priceSteps } from "#core/reshard";
import { layoutOf, type Placement, placementsOf, samePlacement } from "./placement.ts";

/**
 * Steps of DTensor's greedy planner between two layouts (redistribution.md §2.2), as in PyTorch at
 * 0133e92a without flattened meshes: one hop per mesh dim, uneven dims in nested chunks.
 *
 * If the source has any shard, a first pass visits the mesh dims from last to first. Each hop goes
 * to the target placement, but through replication when other mesh dims than in the target split
 * the same tensor dim before it. A second pass from first to last makes the remaining hops. Fails
 * for layouts that DTensor writes with a shard order, and for hops that it lacks (shard to partial,
 * partial to another kind).
 */
export function dtensorReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions = {},
): Checked<PricedSteps> {
  const [source, target] = [placementsOf(from), placementsOf(to)];
  if (source === undefined || target === undefined) {
    return refuse("greedy planning is for whole mesh dims in their default order");
  }
  const sizes = from.mesh.axes.map(({ size }) => size);
  const hops = hopsBetween(source, target, sizes);
  const missing = hops.find((hop) => collectiveOf(hop.now, hop.then) === undefined);
  if (missing !== undefined) {
    const axis = from.mesh.axes[missing.at]?.name ?? "";
    return refuse(`no hop leads from ${missing.now.kind} to ${missing.then.kind} on "${axis}"`);
  }
  const steps: LayoutStep[] = [];
  let placements = source;
  for (const hop of hops) {
    const after = placements.with(hop.at, hop.then);
    const step = stepOf(from, placements, after, hop);
    if (step !== undefined) steps.push(step);
    placements = after;
  }
  return passed(priceSteps(endingAt(to, steps), shape, options));
}

interface Hop {
  readonly at: number;
  readonly now: Placement;
  readonly then: Placement;
}

const replicate: Placement = { kind: "replicate" };

function hopsBetween(
  source: readonly Placement[],
  target: readonly Placement[],
  sizes: readonly number[],
): readonly Hop[] {
  const hops: Hop[] = [];
  const current = [...source];
  const hop = (at: number, then: Placement) => {
    const now = current[at] ?? replicate;
    if (samePlacement(now, then)) return;
    hops.push({ at, now, then });
    current[at] = then;
  };
  const isCut = source.some(({ kind }, at) => kind === "shard" && (sizes[at] ?? 1) > 1);
  for (let at = source.length - 1; at >= 0 && isCut; at--) {
    const wanted = target[at] ?? replicate;
    const isNested =
      wanted.kind === "shard" &&
      splittersBefore(current, at, wanted.dim) !== splittersBefore(target, at, wanted.dim);
    hop(at, isNested ? replicate : wanted);
  }
  for (const [at, wanted] of target.entries()) hop(at, wanted);
  return hops;
}

/** The earlier mesh dims that split a tensor dim, as a key. */
function splittersBefore(placements: readonly Placement[], at: number, dim: number): string {
  const before = placements.slice(0, at).flatMap((placement, index) => {
    return placement.kind === "shard" && placement.dim === dim ? [index] : [];
  });
  return before.join();
}

/** Collective of a hop; `undefined` when DTensor has no such hop. */
function collectiveOf(now: Placement, then: Placement): Collective | undefined {
  if (now.kind === "replicate") return "slice";
  if (now.kind === "shard") {
    if (then.kind === "partial") return undefined;
    return then.kind === "shard" ? "all-to-all" : "all-gather";
  }
  if (then.kind === "partial") return undefined;
  return then.kind === "shard" ? "reduce-scatter" : "all-reduce";
}

/** The step of a hop; `undefined` on a mesh dim of one device. */
function stepOf(
  { mesh, dims }: Layout,
  before: readonly Placement[],
  after: readonly Placement[],
  { at, now, then }: Hop,
): LayoutStep | undefined {
  const axis = mesh.axes[at];
  const collective = collectiveOf(now, then);
  if (axis === undefined || axis.size === 1 || collective === undefined) return undefined;
  const part: Part = { kind: "axis", axis: axis.name, before: 1, size: axis.size };
  const [source, target] = [
    layoutOf(mesh, before, dims.length),
    layoutOf(mesh, after, dims.length),
  ];
  const move: Move = { part, ...slotOf("from", source, part), ...slotOf("to", target, part) };
  const groups = collective === "slice" ? [] : groupsOf(mesh, [part]);
  return { collective, moves: [move], groups, before: source, after: target };
}

function slotOf(key: "from" | "to", layout: Layout, part: Part): Partial<Move> {
  const isHere = (other: Part) =>
    other.kind === "axis" && part.kind === "axis" && other.axis === part.axis;
  const dim = layout.dims.findIndex(({ parts }) => parts.some(isHere));
  const position = layout.dims[dim]?.parts.findIndex(isHere);
  return position === undefined ? {} : { [key]: { dim, position } };
}

/** Steps whose last layout is the requested one, with nested chunks. */
function endingAt(to: Layout, steps: readonly LayoutStep[]): readonly LayoutStep[] {
  const last = steps.at(-1);
  if (last === undefined) return steps;
  const dims = to.dims.map((dim) => ({ ...dim, chunks: "nested" as const }));
  return [...steps.slice(0, -1), { ...last, after: { ...to, dims } }];
}

function refuse(message: string): Checked<PricedSteps> {
  return failed({ code: "dtensor/no-greedy-plan", severity: "error", message });
}
