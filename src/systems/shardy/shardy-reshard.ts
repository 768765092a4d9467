import {
  type Collective,
  groupsOf,
  type LayoutStep,
  type Move,
  movedParts,
  type Slot,
} from "#core/collective";
import { type Checked, failed, passed } from "#core/diagnostics";
import { type Layout, type Part, samePart } from "#core/mesh";
import { type PricedSteps, type PriceOptions, priceSteps } from "#core/reshard";
import { type LoweredStep, lowerReshard } from "./lowering.ts";
import { type AxesPerDim, aligned, has, isSame, merged, type Piece, sizeOf } from "./piece.ts";

/**
 * The collectives of Shardy's own export for one reshard (redistribution.md §2.1), as of a0277a83:
 * partial axes are reduced first, then the plain reshard is lowered; a reduction whose axes are
 * sliced next becomes a reduce-scatter.
 *
 * This is Shardy's own lowering. JAX today propagates with Shardy but still leaves the lowering to
 * XLA (§2.5). Fails for different meshes, for pieces, and for partials that would have to be
 * created.
 */
export function shardyReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions = {},
): Checked<PricedSteps> {
  const [source, target] = [axesOf(from), axesOf(to)];
  if (source === undefined || target === undefined)
    return refuse("Shardy has no interleaved pieces");
  if (JSON.stringify(from.mesh) !== JSON.stringify(to.mesh)) {
    return refuse("the layouts lie on different meshes");
  }
  const made = to.partials.filter(({ part }) => !from.partials.some((p) => samePart(p.part, part)));
  if (made.length > 0) return refuse("Shardy makes partials only in an operation of their own");
  const lowered = lowerReshard(source, target, shape);
  if (lowered === undefined)
    return refuse("this lowering does not lead from one layout to the other");
  const stages = [...reductions(from, to, source, lowered), ...lowered.map(plain(to))];
  return passed(priceSteps(collectives(from, to, stages), shape, options));
}

/** An intermediate layout, and the collective that leads to it. */
interface Stage {
  readonly collective: Collective;
  readonly dims: AxesPerDim;
  readonly partials: Layout["partials"];
  readonly reduced: readonly Part[];
}

function plain(to: Layout): (step: LoweredStep) => Stage {
  return (step) => ({ ...step, partials: to.partials, reduced: [] });
}

/** Reductions of axes that are partial only in the source. */
function reductions(
  from: Layout,
  to: Layout,
  source: AxesPerDim,
  lowered: readonly LoweredStep[],
): readonly Stage[] {
  const reduced = from.partials
    .map(({ part }) => part)
    .filter((part) => !to.partials.some((kept) => samePart(kept.part, part)));
  if (reduced.length === 0) return [];
  const scattered = scatteredDims(source, reduced, lowered[0]);
  return [
    {
      collective: scattered === undefined ? "all-reduce" : "reduce-scatter",
      dims: scattered ?? source,
      partials: to.partials,
      reduced,
    },
  ];
}

/**
 * The dims after a reduce-scatter; `undefined` unless the following slice begins with the reduced
 * axes.
 */
function scatteredDims(
  source: AxesPerDim,
  reduced: readonly Part[],
  first: LoweredStep | undefined,
): AxesPerDim | undefined {
  if (first?.collective !== "slice") return undefined;
  const wanted = reduced.filter((part) => part.kind === "axis");
  const added = first.dims.map((dim, at) => {
    const held = source[at] ?? [];
    const news = dim.filter((piece) => !has(held, piece));
    const end = news.findIndex((piece) => !has(wanted, piece));
    return end === -1 ? news : news.slice(0, end);
  });
  if (added.flat().length !== wanted.length) return undefined;
  return source.map((dim, at) => [...dim, ...(added[at] ?? [])]);
}

function collectives(from: Layout, to: Layout, stages: readonly Stage[]): readonly LayoutStep[] {
  const layouts = stages.map(({ dims, partials }, at): Layout => {
    if (at === stages.length - 1) return to;
    const parts = dims.map((dim) => ({ parts: merged(dim), chunks: "flat" as const }));
    return { mesh: from.mesh, dims: parts, partials };
  });
  return stages.flatMap(({ collective, reduced }, at): LayoutStep[] => {
    const [before, after] = [layouts[at - 1] ?? from, layouts[at] ?? to];
    const moves = movesBetween(before, after, reduced);
    if (moves.length === 0) return [];
    const groups = collective === "slice" ? [] : groupsOf(from.mesh, movedParts(moves));
    return [{ collective, moves, groups, before, after }];
  });
}

/** Moves of each piece between two layouts; reduced pieces have no source slot. */
function movesBetween(before: Layout, after: Layout, reduced: readonly Part[]): readonly Move[] {
  const axes = reduced.filter((part) => part.kind === "axis");
  const [now, then] = [axesOf(before) ?? [], axesOf(after) ?? []];
  const both = aligned([...now, axes], [...then, axes]);
  if (both === undefined) return [];
  const [held, wanted] = [both[0].slice(0, -1), both[1].slice(0, -1)];
  const pieces = [...held, ...wanted, both[0].at(-1) ?? []].flat();
  const unique = pieces.filter((piece, at) => pieces.findIndex((p) => isSame(p, piece)) === at);
  return unique.flatMap((piece): Move[] => {
    const [from, to] = [slotOf(held, piece), slotOf(wanted, piece)];
    const stays = from !== undefined && from.dim === to?.dim && from.before === to.before;
    if (stays) return [];
    const ends = { ...(from && { from: from.slot }), ...(to && { to: to.slot }) };
    return [{ part: piece, ...ends }];
  });
}

interface PieceSlot {
  readonly dim: number;
  /** Number of blocks made by the axes before it. */
  readonly before: number;
  readonly slot: Slot;
}

function slotOf(dims: AxesPerDim, piece: Piece): PieceSlot | undefined {
  const dim = dims.findIndex((pieces) => has(pieces, piece));
  const pieces = dims[dim];
  if (pieces === undefined) return undefined;
  const position = pieces.findIndex((other) => isSame(other, piece));
  return { dim, before: sizeOf(pieces.slice(0, position)), slot: { dim, position } };
}

/** The axes of every dim; `undefined` when the layout has pieces or explicit sizes. */
function axesOf(layout: Layout): AxesPerDim | undefined {
  const isPlain = layout.dims.every(
    (dim) => dim.sizes === undefined && dim.parts.every((part) => part.kind === "axis"),
  );
  if (!isPlain) return undefined;
  return layout.dims.map(({ parts }) =>
    parts.filter((part) => part.kind === "axis").filter((part) => part.size > 1),
  );
}

function refuse(message: string): Checked<PricedSteps> {
  return failed({ code: "shardy/no-plan", severity: "error", message });
}
