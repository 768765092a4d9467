import type { AxisName, DeviceMesh } from "./mesh.ts";

/**
 * One level of the cut of a dim.
 *
 * `axis`: the mesh axis, or the sub-axis of `size` that follows `before` more major parts (`before`
 * = 1 and `size` = the axis' size for the whole axis). `pieces`: a cut inside each device, which
 * then holds every piece (interleaved layouts; positions that a plan holds locally).
 */
export type Part =
  | {
      readonly kind: "axis";
      readonly axis: AxisName;
      readonly before: number;
      readonly size: number;
    }
  | { readonly kind: "pieces"; readonly count: number };

/** The operation that combines the values of the devices along partial parts. */
export type ReduceKind = "sum" | "max" | "min" | "prod" | "avg";

/** A part of the mesh over which a tensor is not yet combined. */
export interface Partial {
  readonly part: Part;
  readonly reduce: ReduceKind;
}

/**
 * The cut of one dim: parts outermost (most major) first, none when it is whole.
 *
 * `chunks` is the way to cut an uneven dim: `flat` cuts it into blocks of the ceiling, the last
 * ones short or empty; `nested` cuts part by part (DTensor's rule). `sizes` gives explicit pieces.
 */
export interface DimLayout {
  readonly parts: readonly Part[];
  readonly sizes?: readonly number[];
  readonly chunks: "flat" | "nested";
}

/** The place of a tensor on a mesh: one entry per dim, and the parts over which it is partial. */
export interface Layout {
  readonly mesh: DeviceMesh;
  readonly dims: readonly DimLayout[];
  readonly partials: readonly Partial[];
}

/** Layout in which every device holds the whole tensor. */
export function wholeLayout(mesh: DeviceMesh, shape: readonly unknown[]): Layout {
  return { mesh, dims: shape.map(() => ({ parts: [], chunks: "flat" })), partials: [] };
}

/** The whole axis as a part. The mesh must have the axis: asking for another is a bug. */
export function wholeAxis(mesh: DeviceMesh, name: AxisName): Part {
  return { kind: "axis", axis: name, before: 1, size: axisSize(mesh, name) };
}

/** The number of blocks that a part cuts its dim into. */
export function partSize(part: Part): number {
  return part.kind === "axis" ? part.size : part.count;
}

/** The number of blocks that parts cut a dim into together: 1 without parts. */
export function blockCount(parts: readonly Part[]): number {
  return parts.reduce((product, part) => product * partSize(part), 1);
}

/** Whether two parts are written alike. */
export function samePart(a: Part, b: Part): boolean {
  if (a.kind === "pieces" || b.kind === "pieces") {
    return a.kind === "pieces" && b.kind === "pieces" && a.count === b.count;
  }
  return a.axis === b.axis && a.before === b.before && a.size === b.size;
}

/**
 * Whether two parts can occur in one layout: they use different axes, or disjoint digits of one
 * axis, so that one ends at or before the start of the other. `x:(1)2` and `x:(1)3` of a 6-axis
 * cannot (redistribution.md §1.1). Pieces always can.
 */
export function partsCoexist(a: Part, b: Part): boolean {
  if (a.kind === "pieces" || b.kind === "pieces" || a.axis !== b.axis) return true;
  if (a.size === 1 && b.size === 1) return false;
  return b.before % (a.before * a.size) === 0 || a.before % (b.before * b.size) === 0;
}

/**
 * The growth of a device's index in its mesh when its digit along the part grows by one.
 *
 * `digit = floor(index / stride) mod size`. Pieces have no devices: asking for theirs is a bug.
 */
export function partStride(mesh: DeviceMesh, part: Part): number {
  if (part.kind === "pieces") throw new Error("pieces lie inside a device");
  const at = mesh.axes.findIndex((axis) => axis.name === part.axis);
  const inner = mesh.axes.slice(at + 1).reduce((product, axis) => product * axis.size, 1);
  return (inner * axisSize(mesh, part.axis)) / (part.before * part.size);
}

/** The coordinate along a part of the device at an index of the mesh (not its id). */
export function digitOf(mesh: DeviceMesh, part: Part, deviceIndex: number): number {
  return Math.floor(deviceIndex / partStride(mesh, part)) % partSize(part);
}

/** Size of a named axis; asking for one that the mesh lacks is a bug. */
export function axisSize(mesh: DeviceMesh, name: AxisName): number {
  const axis = mesh.axes.find((candidate) => candidate.name === name);
  if (axis === undefined) throw new Error(`no mesh axis "${name}"`);
  return axis.size;
}

/** The axis names of parts, in order; `undefined` if a part is no whole axis of the mesh. */
export function axisNames(parts: readonly Part[], mesh: DeviceMesh): readonly string[] | undefined {
  const names = parts.flatMap((part) => {
    const axis = mesh.axes.find(({ name }) => part.kind === "axis" && name === part.axis);
    const isWhole = part.kind === "axis" && axis?.size === part.size;
    return isWhole ? [part.axis] : [];
  });
  return names.length === parts.length ? names : undefined;
}

/**
 * Makes keys for maps of layouts: two layouts get the same key if they are written alike on equal
 * meshes, links included. It is quicker than `layoutKey`, because it does not bring layouts into
 * canonical form first. Keys of different makers must not be compared.
 */
export function createLayoutKeys(): (layout: Layout) => string {
  const meshes = new Map<DeviceMesh, number>();
  const texts = new Map<string, number>();
  const lists = new Map<readonly Part[], string>();
  const meshKey = (mesh: DeviceMesh): number => {
    const known = meshes.get(mesh);
    if (known !== undefined) return known;
    const text = JSON.stringify([mesh.axes, mesh.devices]);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    meshes.set(mesh, number);
    return number;
  };
  const listKey = (parts: readonly Part[]): string => {
    if (parts.length === 0) return "";
    const known = lists.get(parts) ?? parts.map(partKey).join("*");
    lists.set(parts, known);
    return known;
  };
  return ({ mesh, dims, partials }) => {
    let key = `${meshKey(mesh)}`;
    for (const dim of dims) key += `,${listKey(dim.parts)}${cutKey(dim)}`;
    for (const { part, reduce } of partials) key += `|${reduce} ${partKey(part)}`;
    return key;
  };
}

function partKey(part: Part): string {
  if (part.kind === "pieces") return `~${part.count}`;
  return `${part.axis}:${part.before}:${part.size}`;
}

function cutKey({ sizes, chunks }: DimLayout): string {
  if (sizes !== undefined) return `{${sizes.join()}}${chunks}`;
  return chunks === "flat" ? "" : chunks;
}

/**
 * The parts of the mesh that neither cut a dim nor are partial: devices along them hold the same.
 * In mesh order, major first; parts of one device are left out.
 */
export function replicationOf(layout: Layout): readonly Part[] {
  const used = axisPartsOf(layout);
  return layout.mesh.axes.flatMap(({ name, size }) => freeParts(name, size, used));
}

/**
 * The parts of a layout that lie on mesh axes: those of the dims in order, then the partial ones.
 */
export function axisPartsOf(layout: Layout): readonly Extract<Part, { kind: "axis" }>[] {
  const parts = [...layout.dims.flatMap((dim) => dim.parts), ...layout.partials.map((p) => p.part)];
  return parts.filter((part) => part.kind === "axis");
}

/**
 * Layout with the same blocks whose parts are split at the edges of `others`: `x` of size 8 with
 * `x:(2)2` becomes `x:(1)2*x:(2)2*x:(4)2`. Nested dims keep their levels. `undefined` if a part and
 * one of `others` have no common refinement.
 */
export function refineLayout(layout: Layout, others: readonly Part[]): Layout | undefined {
  const dims = layout.dims.map((dim) =>
    dim.chunks === "nested" ? dim : { ...dim, parts: dim.parts.flatMap((p) => cut(p, others)) },
  );
  const partials = layout.partials.flatMap(({ part, reduce }) =>
    cut(part, others).map((piece) => ({ part: piece, reduce })),
  );
  const refined = { mesh: layout.mesh, dims, partials };
  const fits = axisPartsOf(refined).every((part) =>
    others.every((other) => partsCoexist(part, other) || isWithin(part, other)),
  );
  return fits ? refined : undefined;
}

/** A part, split at the edges of `others`, major first. */
function cut(part: Part, others: readonly Part[]): readonly Part[] {
  if (part.kind === "pieces") return [part];
  const [first, last] = [part.before, part.before * part.size];
  const edges = others.flatMap((other) =>
    other.kind === "axis" && other.axis === part.axis
      ? [other.before, other.before * other.size]
      : [],
  );
  const inside = [...new Set([first, ...edges.filter((at) => at > first && at < last)])].sort(
    (a, b) => a - b,
  );
  const stops = [...inside.slice(1), last];
  const isChain = inside.every((at, piece) => (stops[piece] ?? at) % at === 0);
  if (!isChain) return [part];
  return inside.map((at, piece) => ({ ...part, before: at, size: (stops[piece] ?? at) / at }));
}

function isWithin(inner: Part, outer: Part): boolean {
  if (inner.kind === "pieces" || outer.kind === "pieces") return false;
  const [innerEnd, outerEnd] = [inner.before * inner.size, outer.before * outer.size];
  return inner.before % outer.before === 0 && outerEnd % innerEnd === 0;
}

function freeParts(
  name: AxisName,
  size: number,
  used: readonly Extract<Part, { kind: "axis" }>[],
): readonly Part[] {
  const taken = used.filter((part) => part.axis === name).sort((a, b) => a.before - b.before);
  const starts = [1, ...taken.map((part) => part.before * part.size)];
  const stops = [...taken.map((part) => part.before), size];
  return starts.flatMap((before, at): Part[] => {
    const free = (stops[at] ?? before) / before;
    return free > 1 ? [{ kind: "axis", axis: name, before, size: free }] : [];
  });
}
