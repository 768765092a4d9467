import { product } from "#core/arithmetic";
import type { Move } from "#core/collective";
import { blockCount, type ReduceKind } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import {
  type CollectiveScope,
  type DevicePair,
  type MeshAtoms,
  NotWritten,
  rangeText,
} from "#systems/arrays";
import {
  axisNames,
  cutsPieces,
  joinedPieces,
  newParts,
  spreadPieces,
  tiledDims,
  tuple,
} from "#systems/arrays/python";
import { jaxDialect } from "./dialect.ts";
import { exchangeRounds } from "./exchange-rounds.ts";

/** The expressions of one collective, each assigned to the variable of the result. */
interface CollectiveCode {
  /** Brings the block into the form that the collective takes; absent where it has it. */
  readonly before?: string;
  readonly call: string;
  /** Code that puts the received pieces in their places; absent where they arrive there. */
  readonly behind?: string;
}

/**
 * The lines of a collective (engine-jax.md §1): a call in the scope of its step. A barrier keeps
 * XLA from merging it with an equal one that stands before.
 */
export function collectiveLines(step: CollectiveStep, scope: CollectiveScope): readonly string[] {
  const { at, target, isAgain } = scope;
  const source = isAgain ? `lax.optimization_barrier(${scope.source})` : scope.source;
  const uneven = unevenCall(step, { ...scope, source });
  if (uneven !== undefined) {
    const line = `${target} = ${uneven}`;
    return step.collective === "slice"
      ? [line]
      : [`with jax.named_scope("s${at}"):`, `    ${line}`];
  }
  const { before, call, behind } = collectiveCode(step, { ...scope, source });
  if (step.collective === "slice") return [`${target} = ${call}`];
  return [
    ...(before === undefined ? [] : [`${target} = ${before}`]),
    `with jax.named_scope("s${at}"):`,
    `    ${target} = ${call}`,
    ...(behind === undefined ? [] : [`${target} = ${behind}`]),
  ];
}

/**
 * A call of a function of the file that pads blocks to one length, between unequal blocks. Permutes and
 * all-reduces take padded blocks as they are: what lies behind the end of one is never read.
 */
function unevenCall(step: CollectiveStep, scope: CollectiveScope): string | undefined {
  const { collective, moves } = step;
  if (collective === "exchange") {
    const rounds = exchangeRounds(scope.sent).map(({ sent }) => {
      const boxes = sent.map(({ from, to, range }) => {
        const positions = [from, to].map((device) => scope.mesh.positionOf(device));
        return `(${positions.join(", ")}, ${tuple(range.map(rangeText))})`;
      });
      return `[${boxes.join(", ")}]`;
    });
    return `exchange(${scope.source}, ${heldNames(scope)}, [${rounds.join(", ")}])`;
  }
  if (!scope.isUneven) return undefined;
  const axes = axisNames(scope.mesh.axesOf(moves.map(({ part }) => part)));
  switch (collective) {
    case "slice":
      if (moves.some(({ to }) => to === undefined))
        throw new NotWritten("a whole value becomes a partial one");
      return `own_part(${scope.source}, ${heldNames(scope)})`;
    case "all-gather":
      return `all_gather(${scope.source}, ${heldNames(scope)}, ${axes})`;
    case "all-to-all":
      return `all_to_all(${scope.source}, ${heldNames(scope)}, ${axes})`;
    case "reduce-scatter":
      if (scope.reduce !== "sum") throw new NotWritten("JAX scatters sums alone");
      return `psum_scatter(${scope.source}, ${heldNames(scope)}, ${axes})`;
    default:
      return undefined;
  }
}

/** The names by which the file lists what devices hold before and after. */
function heldNames({ name, target }: CollectiveScope): string {
  return `"${name}", "${target}"`;
}

/**
 * A tiled call where one dim is cut or grows in the order of the devices, else one call on pieces
 * that are put in place on the device.
 *
 * @throws NotWritten where it would combine otherwise than by a sum
 */
function collectiveCode(step: CollectiveStep, scope: CollectiveScope): CollectiveCode {
  const { source, target, local, mesh, pairs, reduce, after } = scope;
  const { collective, moves } = step;
  if (collective === "collective-permute") return { call: permute(pairs, source, mesh) };
  if (collective === "slice") return { call: sliced(moves, scope) };
  const axes = axisNames(mesh.axesOf(moves.map(({ part }) => part)));
  if (collective === "all-reduce") return { call: `${reducing(reduce)}(${source}, ${axes})` };
  if (collective === "reduce-scatter" && reduce !== "sum")
    throw new NotWritten("JAX scatters sums alone");
  const tiled = tiledCall(step, scope, axes);
  if (tiled !== undefined) return { call: tiled };
  const isCut = moves.some(({ to }) => to !== undefined);
  const cutShape = local.map((length, dim) => length / blockCount(newParts(moves, dim)));
  const grows = moves.some(({ from }) => from !== undefined);
  const { transposed } = jaxDialect;
  return {
    ...(isCut && { before: spreadPieces(source, moves, local, after, transposed) }),
    call: leadingCall(collective, isCut ? target : source, axes),
    ...(grows && { behind: joinedPieces(target, moves, cutShape, scope.before, transposed) }),
  };
}

function reducing(reduce: ReduceKind): string {
  return { sum: "lax.psum", max: "lax.pmax", min: "lax.pmin" }[reduce as "sum"];
}

/** One call with `tiled=True`, where every part cuts the same dim in the order in which it moves. */
function tiledCall(
  { collective, moves }: CollectiveStep,
  scope: CollectiveScope,
  axes: string,
): string | undefined {
  const { source: block } = scope;
  const { from, to } = tiledDims(moves, scope);
  if (collective === "all-gather" && from !== undefined)
    return `lax.all_gather(${block}, ${axes}, axis=${from}, tiled=True)`;
  if (collective === "reduce-scatter" && to !== undefined)
    return `lax.psum_scatter(${block}, ${axes}, scatter_dimension=${to}, tiled=True)`;
  if (collective === "all-to-all" && from !== undefined && to !== undefined && from !== to)
    return `lax.all_to_all(${block}, ${axes}, split_axis=${to}, concat_axis=${from}, tiled=True)`;
  return undefined;
}

/** The call on pieces in a leading dim, one per member of the group. */
function leadingCall(collective: string, block: string, axes: string): string {
  if (collective === "all-gather") return `lax.all_gather(${block}, ${axes})`;
  if (collective === "reduce-scatter")
    return `lax.psum_scatter(${block}, ${axes}, scatter_dimension=0)`;
  return `lax.all_to_all(${block}, ${axes}, split_axis=0, concat_axis=0, tiled=True)`;
}

/** Each device keeps its own block of what it holds. */
function sliced(moves: readonly Move[], { source, local, mesh, after }: CollectiveScope): string {
  if (moves.some(({ to }) => to === undefined)) {
    throw new NotWritten("a whole value becomes a partial one");
  }
  if (cutsPieces(moves, after)) {
    const own = axisNames(mesh.axesOf(moves.map(({ part }) => part)));
    const pieces = spreadPieces(source, moves, local, after, jaxDialect.transposed);
    return `${pieces}[lax.axis_index(${own})]`;
  }
  return local.reduce((code, length, dim) => {
    const parts = newParts(moves, dim);
    if (parts.length === 0) return code;
    const own = length / blockCount(parts);
    const start = `lax.axis_index(${axisNames(mesh.axesOf(parts))}) * ${own}`;
    return `lax.dynamic_slice_in_dim(${code}, ${start}, ${own}, ${dim})`;
  }, source);
}

/** Whole blocks from device to device; who gets none keeps its own. */
function permute(pairs: readonly DevicePair[], block: string, mesh: MeshAtoms): string {
  const sources = new Map(
    pairs.map(({ from, to }) => [mesh.positionOf(to), mesh.positionOf(from)]),
  );
  const count = product(mesh.sizes);
  const all = Array.from({ length: count }, (_, to) => `(${sources.get(to) ?? to}, ${to})`);
  return `lax.ppermute(${block}, ${axisNames(mesh.names)}, [${all.join(", ")}])`;
}
