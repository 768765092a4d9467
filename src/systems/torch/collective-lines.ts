import type { Move } from "#core/collective";
import { blockCount } from "#core/mesh";
import type { CollectiveStep } from "#core/program";
import {
  type CollectiveScope,
  type DevicePair,
  type MeshAtoms,
  NotWritten,
  rangeText,
} from "#systems/arrays";
import {
  cutsPieces,
  joinedPieces,
  newParts,
  spreadPieces,
  tiledDims,
  tuple,
} from "#systems/arrays/python";
import { torchDialect } from "./dialect.ts";
import { exchangeAxes } from "./exchange-group.ts";

/**
 * The lines of a collective (engine-torch.md §2): one call of the prologue where one dim is cut or
 * grows in the order of the devices, else on pieces that are put in place on the device.
 *
 * @throws NotWritten where a whole value becomes a partial one
 */
export function collectiveLines(step: CollectiveStep, scope: CollectiveScope): readonly string[] {
  const { source, target, local, mesh, pairs, reduce, after } = scope;
  const { collective, moves } = step;
  const uneven = unevenCall(step, scope);
  if (uneven !== undefined) return [`${target} = ${uneven}`];
  if (collective === "collective-permute")
    return [`${target} = permute(${source}, ${pairsText(pairs)})`];
  if (collective === "slice") return [`${target} = ${sliced(moves, scope)}`];
  const group = groupText(moves, mesh);
  const how = reduce === "sum" ? "" : `, dist.ReduceOp.${reduce.toUpperCase()}`;
  if (collective === "all-reduce") return [`${target} = all_reduce(${source}, ${group}${how})`];
  const tiled = tiledCall(step, scope, `${group}${how}`);
  if (tiled !== undefined) return [`${target} = ${tiled}`];
  const isCut = moves.some(({ to }) => to !== undefined);
  const grows = moves.some(({ from }) => from !== undefined);
  const cutShape = local.map((length, dim) => length / blockCount(newParts(moves, dim)));
  const { transposed } = torchDialect;
  const before = isCut
    ? [`${target} = ${spreadPieces(source, moves, local, after, transposed)}`]
    : [];
  const call = leadingCall(collective, isCut ? target : source, `${group}${how}`);
  const behind = grows
    ? [`${target} = ${joinedPieces(target, moves, cutShape, scope.before, transposed)}`]
    : [];
  return [...before, `${target} = ${call}`, ...behind];
}

/**
 * A call of the exported file's own function for unequal blocks; `undefined` for an all-reduce,
 * which takes them directly.
 */
function unevenCall(step: CollectiveStep, scope: CollectiveScope): string | undefined {
  const { collective, moves } = step;
  const { source, mesh, reduce } = scope;
  const names = `"${scope.name}", "${scope.target}"`;
  if (collective === "exchange")
    return `exchange(${source}, ${names}, ${sentText(scope)}, ${groupOf(exchangeAxes(scope))})`;
  if (!scope.isUneven) return undefined;
  const group = groupText(moves, mesh);
  const how = reduce === "sum" ? "" : `, dist.ReduceOp.${reduce.toUpperCase()}`;
  switch (collective) {
    case "slice":
      if (moves.some(({ to }) => to === undefined))
        throw new NotWritten("a whole value becomes a partial one");
      return `own_part(${source}, ${names})`;
    case "all-gather":
      return `all_gather_uneven(${source}, ${names}, ${group})`;
    case "reduce-scatter":
      return `reduce_scatter_uneven(${source}, ${names}, ${group}${how})`;
    case "all-to-all": {
      const axes = mesh.axesOf(moves.map(({ part }) => part));
      const listed = tuple(axes.map((axis) => `"${axis}"`));
      return `all_to_all_uneven(${source}, ${names}, ${listed}, groups)`;
    }
    case "collective-permute":
      return `permute_uneven(${source}, "${scope.target}", ${pairsText(scope.pairs)})`;
    default:
      return undefined;
  }
}

/** The boxes of an exchange, as tuples of giver, taker and ranges. */
function sentText({ sent }: CollectiveScope): string {
  const boxes = sent.map(
    ({ from, to, range }) => `(${from}, ${to}, ${tuple(range.map(rangeText))})`,
  );
  return `[${boxes.join(", ")}]`;
}

function tiledCall(
  { collective, moves }: CollectiveStep,
  scope: CollectiveScope,
  group: string,
): string | undefined {
  const { source: block } = scope;
  const { from, to } = tiledDims(moves, scope);
  if (collective === "all-gather" && from !== undefined)
    return `all_gather(${block}, ${from}, ${group})`;
  if (collective === "reduce-scatter" && to !== undefined)
    return `reduce_scatter(${block}, ${to}, ${group})`;
  if (collective === "all-to-all" && from !== undefined && to !== undefined && from !== to)
    return `all_to_all(${block}, ${from}, ${to}, ${group})`;
  return undefined;
}

/** The call on pieces in a leading dim, one per member of the group. */
function leadingCall(collective: string, block: string, group: string): string {
  if (collective === "all-gather") return `all_gather(${block}[None], 0, ${group})`;
  if (collective === "reduce-scatter") return `reduce_scatter(${block}, 0, ${group})[0]`;
  return `all_to_all(${block}, 0, 0, ${group})`;
}

/** Each device keeps its own block of its tensor; nothing is sent. */
function sliced(moves: readonly Move[], { source, local, mesh, after }: CollectiveScope): string {
  if (moves.some(({ to }) => to === undefined))
    throw new NotWritten("a whole value becomes a partial one");
  const { transposed, coordinate } = torchDialect;
  if (cutsPieces(moves, after)) {
    const own = coordinate(mesh.axesOf(moves.map(({ part }) => part)));
    return `${spreadPieces(source, moves, local, after, transposed)}[${own}]`;
  }
  return local.reduce((code, length, dim) => {
    const parts = newParts(moves, dim);
    if (parts.length === 0) return code;
    const own = length / blockCount(parts);
    return `${code}.narrow(${dim}, ${coordinate(mesh.axesOf(parts))} * ${own}, ${own})`;
  }, source);
}

/** Blocks that stay where they are need no message. */
function pairsText(pairs: readonly DevicePair[]): string {
  const sent = pairs.filter(({ from, to }) => from !== to);
  return `[${sent.map(({ from, to }) => `(${from}, ${to})`).join(", ")}]`;
}

function groupText(moves: readonly Move[], mesh: MeshAtoms): string {
  return groupOf(mesh.axesOf(moves.map(({ part }) => part)));
}

function groupOf(axes: readonly string[]): string {
  return `groups(${axes.map((axis) => `"${axis}"`).join(", ")})`;
}
