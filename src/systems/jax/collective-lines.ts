import type { Move } from "#core/collective";
import { type Part, partSize } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { axisNames } from "./python-names.ts";

/** The expressions of one collective, each assigned to the variable of the result. */
export interface CollectiveCode {
  /** Brings the block into the form that the collective takes; absent where it has it. */
  readonly before?: string;
  readonly call: string;
  /** Puts the pieces that came where they belong; absent where they lie there. */
  readonly behind?: string;
}

/** What a collective is written for: the variables before and after it, and the block's sizes. */
export interface CollectiveScope {
  readonly source: string;
  readonly target: string;
  readonly local: readonly number[];
  readonly mesh: MeshAtoms;
  /** Of a permute, whose block every device gets. */
  readonly pairs: readonly DevicePair[];
}

/** That one device's block goes to another, by device id. */
export interface DevicePair {
  readonly from: number;
  readonly to: number;
}

/**
 * A collective as JAX writes it (engine-jax §1): a tiled call where one dim is cut or grows in the
 * order of the devices, else one call on pieces that are put in place on the device.
 *
 * @throws NotWritten for a ragged exchange, and for what holds pieces inside a device
 */
export function collectiveCode(
  step: CollectiveStep,
  { source, target, local, mesh, pairs }: CollectiveScope,
): CollectiveCode {
  const { collective, moves } = step;
  if (collective === "collective-permute") return { call: permute(pairs, source, mesh) };
  if (collective === "exchange") {
    throw new NotWritten("a ragged exchange has no collective of equal pieces");
  }
  if (collective === "slice") return { call: sliced(moves, source, local, mesh) };
  const axes = axisNames(mesh.axesOf(moves.map(({ part }) => part)));
  if (collective === "all-reduce") return { call: `lax.psum(${source}, ${axes})` };
  const tiled = tiledCall(step, source, axes);
  if (tiled !== undefined) return { call: tiled };
  const size = moves.reduce((product, { part }) => product * partSize(part), 1);
  const cut = moves.some(({ to }) => to !== undefined);
  const cutShape = local.map((length, dim) => length / countOf(newParts(moves, dim)));
  const grows = moves.some(({ from }) => from !== undefined);
  return {
    ...(cut && { before: `${source}${spread(moves, local, cutShape, size)}` }),
    call: leadingCall(collective, cut ? target : source, axes),
    ...(grows && { behind: `${target}${joined(moves, cutShape)}` }),
  };
}

/** One call with `tiled=True`, where every part cuts the same dim in the order in which it moves. */
function tiledCall(
  { collective, moves }: CollectiveStep,
  block: string,
  axes: string,
): string | undefined {
  const from = onlyDim(moves.map((move) => move.from));
  const to = onlyDim(moves.map((move) => move.to));
  if (collective === "all-gather" && from !== undefined)
    return `lax.all_gather(${block}, ${axes}, axis=${from}, tiled=True)`;
  if (collective === "reduce-scatter" && to !== undefined)
    return `lax.psum_scatter(${block}, ${axes}, scatter_dimension=${to}, tiled=True)`;
  if (collective === "all-to-all" && from !== undefined && to !== undefined && from !== to)
    return `lax.all_to_all(${block}, ${axes}, split_axis=${to}, concat_axis=${from}, tiled=True)`;
  return undefined;
}

/** The one dim that all slots lie in, if they stand there in ascending order. */
function onlyDim(slots: readonly Move["from"][]): number | undefined {
  const [first] = slots;
  const isSorted = slots.every(
    (slot, at) =>
      slot !== undefined &&
      slot.dim === first?.dim &&
      (at === 0 || slot.position > (slots[at - 1]?.position ?? 0)),
  );
  return isSorted ? first?.dim : undefined;
}

/** The call on pieces in a leading dim, one per member of the group. */
function leadingCall(collective: string, block: string, axes: string): string {
  if (collective === "all-gather") return `lax.all_gather(${block}, ${axes})`;
  if (collective === "reduce-scatter")
    return `lax.psum_scatter(${block}, ${axes}, scatter_dimension=0)`;
  return `lax.all_to_all(${block}, ${axes}, split_axis=0, concat_axis=0, tiled=True)`;
}

/** Splits dims by the parts that will cut them, and brings those to the front as one dim. */
function spread(
  moves: readonly Move[],
  local: readonly number[],
  cutShape: readonly number[],
  size: number,
): string {
  const dims: number[] = [];
  const places = new Map<Part, number>();
  const rest: number[] = [];
  for (const [dim] of local.entries()) {
    for (const part of newParts(moves, dim)) places.set(part, dims.push(partSize(part)) - 1);
    rest.push(dims.push(cutShape[dim] ?? 1) - 1);
  }
  const front = moves.map(({ part }) => places.get(part) ?? 0);
  const moved = transposed([...front, ...rest]);
  return `.reshape(${dims.join(", ")})${moved}.reshape(${[size, ...cutShape].join(", ")})`;
}

/** Takes a leading dim of pieces apart and puts every part in front of the dim that grows by it. */
function joined(moves: readonly Move[], shape: readonly number[]): string {
  const sizes = moves.map(({ part }) => partSize(part));
  const order: number[] = [];
  const grown = shape.map((length, dim) => {
    const parts = moves
      .map((move, at) => ({ at, slot: move.from }))
      .filter(({ slot }) => slot?.dim === dim)
      .sort((a, b) => (a.slot?.position ?? 0) - (b.slot?.position ?? 0));
    order.push(...parts.map(({ at }) => at), sizes.length + dim);
    return parts.reduce((product, { at }) => product * (sizes[at] ?? 1), length);
  });
  return `.reshape(${[...sizes, ...shape].join(", ")})${transposed(order)}.reshape(${grown.join(", ")})`;
}

function transposed(order: readonly number[]): string {
  return order.every((place, at) => place === at) ? "" : `.transpose(${order.join(", ")})`;
}

/** The parts that come to cut a dim, outermost first. */
function newParts(moves: readonly Move[], dim: number): readonly Part[] {
  return moves
    .filter(({ to }) => to?.dim === dim)
    .sort((a, b) => (a.to?.position ?? 0) - (b.to?.position ?? 0))
    .map(({ part }) => part);
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((product, part) => product * partSize(part), 1);
}

/** Each device keeps its own block of what it holds. */
function sliced(
  moves: readonly Move[],
  block: string,
  local: readonly number[],
  mesh: MeshAtoms,
): string {
  if (moves.some(({ to }) => to === undefined)) {
    throw new NotWritten("a whole value becomes a partial one");
  }
  return local.reduce((code, length, dim) => {
    const parts = newParts(moves, dim);
    if (parts.length === 0) return code;
    const own = length / countOf(parts);
    const start = `lax.axis_index(${axisNames(mesh.axesOf(parts))}) * ${own}`;
    return `lax.dynamic_slice_in_dim(${code}, ${start}, ${own}, ${dim})`;
  }, block);
}

/** Whole blocks from device to device; who gets none keeps its own. */
function permute(pairs: readonly DevicePair[], block: string, mesh: MeshAtoms): string {
  const sources = new Map(
    pairs.map(({ from, to }) => [mesh.positionOf(to), mesh.positionOf(from)]),
  );
  const count = mesh.sizes.reduce((product, size) => product * size, 1);
  const all = Array.from({ length: count }, (_, to) => `(${sources.get(to) ?? to}, ${to})`);
  return `lax.ppermute(${block}, ${axisNames(mesh.names)}, [${all.join(", ")}])`;
}
