import { product } from "#core/arithmetic";
import { type Collective, groupsOf, type LayoutStep, type Move } from "#core/collective";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import {
  blockCount,
  checkLayout,
  type DeviceMesh,
  deviceCount,
  type Layout,
  type Part,
  partSize,
  replicationOf,
  sameBlocks,
  samePart,
} from "#core/mesh";
import { type PricedSteps, type PriceOptions, priceSteps } from "#core/reshard";
import {
  type AdapterPrimitive,
  type AdapterRules,
  hopBetween,
  isWholeHop,
  type Rvd,
} from "./adapter-hop.ts";
import { intraPath } from "./adapter-path.ts";
import { type Alignment, alignPath, type Placed, type PlacedHop } from "./adapter-place.ts";

/**
 * The steps of nnScaler's adapter between two layouts on the same devices (dimops.md §6.1): the
 * cheapest path of RVDs by its own prices, then an order of the copies by which the path ends on
 * the right devices. If no order does, everything is first copied to all devices (a warning).
 *
 * Fails for layouts that nnScaler lacks: uneven cuts, pieces, reductions other than sums. Fails too
 * if the target is partial and the source is not (its runtime lacks the value chunk), and if a hop
 * would cut across the axes of the mesh. A path by a fractional factor, which nnScaler's own search
 * would take by mistake, gives a warning; the result is the best path without such factors.
 */
export function nnscalerReshard(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options: PriceOptions & AdapterRules = {},
): Checked<PricedSteps> {
  const found = adapterRoutes(from, to, shape, options);
  if (!found.ok) return found;
  const steps = found.value.flatMap(({ hops, mesh }) => stepsOf(hops, mesh, from.mesh));
  return passed(priceSteps(between(from, to, steps), shape, options), found.diagnostics);
}

/** Consecutive hops on one arrangement of the devices. */
export interface AdapterRoute {
  readonly mesh: DeviceMesh;
  readonly hops: readonly PlacedHop[];
}

/** The routes of `nnscalerReshard`, with its faults and warnings. */
export function adapterRoutes(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  rules: AdapterRules = {},
): Checked<readonly AdapterRoute[]> {
  const [source, target] = [placedOf(fused(from, shape), shape), placedOf(to, shape)];
  if (typeof source === "string") return refuse(source);
  if (typeof target === "string") return refuse(target);
  const [before, after] = [countsOf(source), countsOf(target)];
  const direct = intraPath(shape, before, after, rules);
  if (direct === undefined) return refuse("no path of whole hops leads there");
  if (hasPrimitive(direct.rvds, "value-chunk")) {
    return refuse("nnScaler's runtime has no value chunk, which makes copies partial");
  }
  const aligned = alignPath(source, direct.rvds, isAt(from.mesh, to, shape));
  const found =
    aligned.kind === "unaligned"
      ? throughCopies(from, to, { source, target }, shape, rules)
      : [aligned];
  const failure = found.find(({ kind }) => kind !== "aligned");
  const mistaken = fractionWarnings(shape, before, after);
  if (failure !== undefined && failure.kind !== "aligned") {
    return failed(fault(reasons[failure.kind]), ...mistaken);
  }
  const meshes = [from.mesh, to.mesh];
  const routes = found.flatMap((each, at) =>
    each.kind === "aligned" ? [{ hops: each.hops, mesh: meshes[at] ?? from.mesh }] : [],
  );
  const copied = aligned.kind === "unaligned" ? [copyWarning] : [];
  return passed(routes, [...copied, ...mistaken]);
}

/** Tests whether a placement has the target's blocks on every device. */
function isAt(mesh: DeviceMesh, to: Layout, shape: readonly number[]) {
  return (placed: Placed) => sameBlocks(layoutOf(mesh, placed), to, shape);
}

const reasons = {
  unaligned:
    "nnScaler finds no order of the devices and falls back to messages from device to device",
  unsayable: "a hop of nnScaler's path cuts across the axes of the mesh",
} as const;

const copyWarning: Diagnostic = {
  code: "nnscaler/copied-everywhere",
  severity: "warning",
  message: "nnScaler cannot align the devices along its path, so it copies the whole tensor to all",
};

/**
 * Merges consecutive pieces on one device, as nnScaler does before it searches an adapter; pieces
 * of readers are not merged (dimops.md §6).
 */
function fused(layout: Layout, shape: readonly number[]): Layout {
  const dims = layout.dims.map((dim, at) => {
    const { parts } = dim;
    const last = parts.findLastIndex(({ kind }) => kind === "axis");
    const isEven = (shape[at] ?? 0) % blockCount(parts) === 0;
    return isEven && dim.sizes === undefined ? { ...dim, parts: parts.slice(0, last + 1) } : dim;
  });
  return { ...layout, dims };
}

/**
 * The mesh parts of copies, partial values and dims; or a message if nnScaler lacks such a layout.
 */
function placedOf(layout: Layout, shape: readonly number[]): Placed | string {
  const isPlain = layout.dims.every(
    ({ parts, sizes }) => sizes === undefined && parts.every(({ kind }) => kind === "axis"),
  );
  if (!isPlain || checkLayout(layout, shape).length > 0) return piecesText;
  if (layout.partials.some(({ reduce }) => reduce !== "sum")) {
    return "nnScaler's partial values are sums";
  }
  const values = layout.partials.map(({ part }) => part);
  const placed = [replicationOf(layout), values, ...layout.dims.map(({ parts }) => parts)];
  const counts = countsOf(placed);
  const isEven = shape.every((size, dim) => size % (counts[dim + 2] ?? 1) === 0);
  return isEven
    ? placed.map((parts) => parts.filter((part) => partSize(part) > 1))
    : "nnScaler has no uneven layouts";
}

const piecesText =
  "nnScaler's adapters know one block per device: several go one by one, by messages from device to device, which have no price here";

function countsOf(placed: Placed): Rvd {
  return placed.map(blockCount);
}

function hasPrimitive(rvds: readonly Rvd[], primitive: AdapterPrimitive): boolean {
  return pairsOf(rvds).some(([from, to]) => hopBetween(from, to)?.primitive === primitive);
}

function pairsOf(rvds: readonly Rvd[]): readonly (readonly [Rvd, Rvd])[] {
  return rvds.slice(1).map((to, at) => [rvds[at] ?? [], to] as const);
}

/**
 * Two paths: from the source to copies everywhere, then from copies in the target's order to the
 * target.
 */
function throughCopies(
  from: Layout,
  to: Layout,
  { source, target }: { readonly source: Placed; readonly target: Placed },
  shape: readonly number[],
  rules: AdapterRules,
): readonly Alignment[] {
  const whole: Rvd = [deviceCount(from.mesh), ...source.slice(1).map(() => 1)];
  const left = intraPath(shape, countsOf(source), whole, rules);
  const right = intraPath(shape, whole, countsOf(target), rules);
  if (left === undefined || right === undefined) return [{ kind: "unaligned" }];
  const copies: Placed = [target.flat(), ...target.slice(1).map(() => [])];
  return [
    alignPath(source, left.rvds, () => true),
    alignPath(copies, right.rvds, isAt(to.mesh, to, shape)),
  ];
}

/** Warnings about hops by a fractional factor, which nnScaler's own search would take. */
function fractionWarnings(shape: readonly number[], from: Rvd, to: Rvd): readonly Diagnostic[] {
  if (isPrimePower(product(from))) return [];
  const path = intraPath(shape, from, to, { fractions: true });
  const isBroken = path && pairsOf(path.rvds).some(([a, b]) => !isWholeHop(a, b));
  if (!isBroken) return [];
  const message =
    "nnScaler's own search takes a hop by a factor that is no integer here, which moves nothing: shown is its path without";
  return [{ code: "nnscaler/fractional-hop", severity: "warning", message }];
}

/**
 * Whether the number of devices is a prime power: then its factors divide each other, and every hop
 * is whole.
 */
function isPrimePower(devices: number): boolean {
  const factor = Array.from({ length: devices - 1 }, (_, at) => at + 2).find(
    (each) => devices % each === 0,
  );
  let rest = devices;
  while (factor !== undefined && rest % factor === 0) rest /= factor;
  return rest === 1;
}

function layoutOf(mesh: DeviceMesh, [, values = [], ...dims]: Placed): Layout {
  return {
    mesh,
    dims: dims.map((parts) => ({ parts, chunks: "flat" })),
    partials: values.map((part) => ({ part, reduce: "sum" })),
  };
}

const collectives: Readonly<Record<AdapterPrimitive, Collective>> = {
  "all-gather": "all-gather",
  "all-to-all": "all-to-all",
  "all-reduce": "all-reduce",
  "reduce-scatter": "reduce-scatter",
  chunk: "slice",
  "value-chunk": "slice",
};

/**
 * The hops as collectives on a mesh; if its device order differs from the source's, they only slice
 * copies.
 */
function stepsOf(
  hops: readonly PlacedHop[],
  mesh: DeviceMesh,
  own: DeviceMesh,
): readonly LayoutStep[] {
  const isSameOrder = mesh.devices.join() === own.devices.join();
  return hops.map(({ hop, parts, before, after }) => {
    const collective = collectives[hop.primitive];
    const layouts = { before: layoutOf(mesh, before), after: layoutOf(mesh, after) };
    if (!isSameOrder) return { collective, moves: [], groups: [], transfers: [], ...layouts };
    const moves = parts.map((part) => moveOf(part, before, after));
    const groups = collective === "slice" ? [] : groupsOf(mesh, parts);
    return { collective, moves, groups, ...layouts };
  });
}

/** The steps, with the first and last layouts replaced by the caller's own. */
function between(from: Layout, to: Layout, steps: readonly LayoutStep[]): readonly LayoutStep[] {
  const isSameOrder = steps.at(-1)?.after.mesh.devices.join() === to.mesh.devices.join();
  return steps.map((step, at) => ({
    ...step,
    before: at === 0 ? from : (steps[at - 1]?.after ?? step.before),
    after: at === steps.length - 1 && isSameOrder ? to : step.after,
  }));
}

function moveOf(part: Part, before: Placed, after: Placed): Move {
  const [from, to] = [slotOf(part, before), slotOf(part, after)];
  return { part, ...(from && { from }), ...(to && { to }) };
}

function slotOf(part: Part, placed: Placed): Move["from"] {
  const component = placed.findIndex((parts) => parts.some((other) => samePart(other, part)));
  const position = placed[component]?.findIndex((other) => samePart(other, part));
  return component < 2 || position === undefined ? undefined : { dim: component - 2, position };
}

function refuse(message: string): Checked<never> {
  return failed(fault(message));
}

function fault(message: string): Diagnostic {
  return { code: "nnscaler/no-adapter", severity: "error", message };
}
