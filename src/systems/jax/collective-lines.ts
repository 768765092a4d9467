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

/** Expressions of one collective; each is assigned to the result's variable. */
interface CollectiveCode {
  /** Rearranges the block for the call; absent if not needed. */
  readonly before?: string;
  readonly call: string;
  /** Rearranges the received pieces; absent if not needed. */
  readonly behind?: string;
}

/**
 * Lines of a collective (engine-jax.md §1): a call in the scope of its step. For a repeated
 * collective, a barrier keeps XLA from merging it with the earlier one.
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
 * Call of a file function for unequal blocks, which pads them to one length. Permutes and
 * all-reduces need no such call: padding after a block's end is never read. `undefined` where not
 * needed.
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

/** Keys of the blocks before and after in the file's table. */
function heldNames({ name, target }: CollectiveScope): string {
  return `"${name}", "${target}"`;
}

/**
 * A tiled call if one dim is cut or grows in device order, else one call on pieces that the device
 * then rearranges.
 *
 * @throws NotWritten for a reduction other than a sum
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

/** One call with `tiled=True`, if all parts cut the same dim in the order in which they move. */
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

/** The call on pieces along a leading dim, one per member of the group. */
function leadingCall(collective: string, block: string, axes: string): string {
  if (collective === "all-gather") return `lax.all_gather(${block}, ${axes})`;
  if (collective === "reduce-scatter")
    return `lax.psum_scatter(${block}, ${axes}, scatter_dimension=0)`;
  return `lax.all_to_all(${block}, ${axes}, split_axis=0, concat_axis=0, tiled=True)`;
}

/** Code by which each device keeps its own block of a larger one. */
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

/** Sends whole blocks between devices; a device without a sender keeps its own. */
function permute(pairs: readonly DevicePair[], block: string, mesh: MeshAtoms): string {
  const sources = new Map(
    pairs.map(({ from, to }) => [mesh.positionOf(to), mesh.positionOf(from)]),
  );
  const count = product(mesh.sizes);
  const all = Array.from({ length: count }, (_, to) => `(${sources.get(to) ?? to}, ${to})`);
  return `lax.ppermute(${block}, ${axisNames(mesh.names)}, [${all.join(", ")}])`;
}
