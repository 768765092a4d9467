import { product } from "#core/arithmetic";
import { receivedElements } from "#core/collective";
import { bytesOf } from "#core/ir";
import type { TracedTensor } from "#language/document/trace";
import { NotWritten } from "#systems/arrays";
import { EmittedLayouts } from "../emitted/layouts.ts";
import { mergedOperators } from "../emitted/merged.ts";
import { type PlacedOperator, placedOperators } from "../emitted/placed-operators.ts";
import { standingFor } from "../emitted/replaced.ts";
import { SentBefore } from "../emitted/sent.ts";
import { redistributionFault } from "../redistribution/check-tensor.ts";
import { emittedList } from "../redistribution/emitted.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import type { Cell, CellTensor } from "./cell.ts";
import { cellTrace } from "./cell-trace.ts";
import { pieceOf } from "./same-pieces.ts";

/** A collective that MindSpore's compiler inserts into a cell. */
export interface CellCollective {
  /** Name of MindSpore's primitive. */
  readonly op: string;
  readonly tensor: string;
  /**
   * Variable of the call that it belongs to: a redistribution before it, or its own partial sums.
   */
  readonly at: string;
  readonly why: "forward" | "redistribution";
  /** Ranks of each group, in the order of their pieces. */
  readonly groups: readonly (readonly number[])[];
  /** Bytes that each rank receives. */
  readonly bytes: number;
}

/** The compiler results expected for an exported cell. */
export interface MindsporeClaims {
  readonly devices: number;
  /** Device ids by rank, if they are not 0, 1, 2, …. */
  readonly order?: readonly number[];
  readonly operators: readonly {
    readonly op: string;
    readonly name: string;
    /** Pieces of every dim of every operand. */
    readonly in_strategy: readonly (readonly number[])[];
  }[];
  /** Slices of parameters and results: per rank the range [start, stop) of every dim. */
  readonly slices: Readonly<Record<string, readonly (readonly (readonly number[])[])[]>>;
  /** Collectives in the order of the compiled graph. */
  readonly collectives: readonly CellCollective[];
}

/** A collective with the group of one rank. */
type RankCollective = Omit<CellCollective, "groups"> & { readonly group: readonly number[] };

/** The compilation of a cell by MindSpore 2.10, by its own rules (mindspore.md §3, §5). */
export function claimsOf(cell: Cell): MindsporeClaims {
  const { operators, tensorOf } = cellTrace(cell);
  const ranks = Array.from({ length: cell.devices }, (_, rank) => rank);
  const ofRanks = ranks.map((rank) => {
    const all = placedOperators({ operators: [...operators] }, cell.devices, rank);
    const { kept: placed, same } = mergedOperators(all);
    const layouts = new EmittedLayouts(placed, cell.devices, same);
    return { placed, collectives: collectivesOf(placed, tensorOf, layouts, rank) };
  });
  const [first] = ofRanks;
  const { order } = cell.mesh;
  return {
    devices: cell.devices,
    ...(order !== undefined && { order }),
    operators: (first?.placed ?? []).flatMap((placed) => {
      const name = madeBy(placed, tensorOf)?.name ?? "";
      const { strategies: in_strategy = [] } = placed;
      return standingFor(placed, () => new Set()).map((op) => ({ op, name, in_strategy }));
    }),
    slices: slicesOf(first?.placed ?? [], tensorOf, cell.devices),
    collectives: joined(ofRanks.map(({ collectives }) => collectives)),
  };
}

function madeBy(
  { traced: { outputs } }: Pick<PlacedOperator, "traced">,
  tensorOf: ReadonlyMap<TracedTensor, CellTensor>,
): CellTensor | undefined {
  const [made] = outputs;
  return made && tensorOf.get(made);
}

/** Joins the collectives of all ranks into one list, each with all its groups. */
function joined(ofRanks: readonly (readonly RankCollective[])[]): readonly CellCollective[] {
  const [first = []] = ofRanks;
  if (ofRanks.some(({ length }) => length !== first.length))
    throw new NotWritten("its ranks would not take part in the same collectives");
  return first.map(({ group: _, ...step }, at) => {
    const groups = new Map(ofRanks.map((list) => [list[at]?.group.join(), list[at]?.group ?? []]));
    return { ...step, groups: [...groups.values()] };
  });
}

function collectivesOf(
  placed: readonly PlacedOperator[],
  tensorOf: ReadonlyMap<TracedTensor, CellTensor>,
  layouts: EmittedLayouts,
  rank: number,
): readonly RankCollective[] {
  const sent = new SentBefore();
  return placed.flatMap((each) => {
    const result = madeBy(each, tensorOf);
    if (result === undefined) return [];
    const before = layouts.edgesInto(each.traced).flatMap(({ tensor, from, to }) => {
      const moved = tensorOf.get(tensor);
      if (moved === undefined) return [];
      const place = { tensor: moved.name, at: result.name, why: "redistribution" as const };
      return sentBetween(from, to, rank, sent, tensor).map(({ op, group, elements }) => ({
        ...{ op, ...place, group, bytes: elements * bytesOf(moved.dtype) },
      }));
    });
    return [...before, ...ownCollectives(each, result)];
  });
}

/**
 * The AllGathers of a redistribution that no other reader of the tensor shares as a common prefix.
 */
function sentBetween(
  from: MappedTensor,
  to: MappedTensor,
  rank: number,
  sent: SentBefore,
  tensor: TracedTensor,
) {
  if (redistributionFault(from, to) !== undefined)
    throw new NotWritten("MindSpore knows no way between two of its layouts");
  const world = Array.from({ length: product(from.deviceMatrix) }, (_, each) => each);
  const list = emittedList(from, to, rank, { allToAll: false, cleanUp: true });
  let local = product(from.shape) / pieceCount(from);
  return list.flatMap(([op, ...args], at) => {
    const { isNew } = sent.made(tensor, list.slice(0, at + 1));
    if (op === "StridedSlice") local = slicedElements(args);
    if (op !== "AllGather") return [];
    const [named] = args;
    const group = Array.isArray(named) ? named.map(Number) : world;
    const elements = receivedElements("all-gather", {
      groupSize: group.length,
      localElements: local,
    });
    local *= group.length;
    return isNew ? [{ op, group, elements }] : [];
  });
}

/** Number of elements between begin and end of a slice. */
function slicedElements([begin, end]: readonly unknown[]): number {
  if (!Array.isArray(begin) || !Array.isArray(end)) return 0;
  return product(end.map((stop, dim) => Number(stop) - Number(begin[dim])));
}

function pieceCount({ deviceMatrix, tensorMap }: MappedTensor): number {
  const axes = tensorMap.flat().filter((value) => value >= 0);
  return product(axes.map((value) => deviceMatrix[deviceMatrix.length - 1 - value] ?? 1));
}

/** The collectives that combine the partial sums of an operator. */
function ownCollectives(
  { model }: PlacedOperator,
  { name, dtype }: CellTensor,
): readonly RankCollective[] {
  return (model?.forward ?? []).map(({ primitive, group }) => {
    const left = product(model?.outputs[0]?.slice ?? []);
    const isScatter = primitive === "ReduceScatter";
    const elements = receivedElements(isScatter ? "reduce-scatter" : "all-reduce", {
      groupSize: group.length,
      localElements: isScatter ? left * group.length : left,
    });
    const sorted = [...group].sort((a, b) => a - b);
    const place = { tensor: name, at: name, why: "forward" as const };
    return { op: primitive, ...place, group: sorted, bytes: elements * bytesOf(dtype) };
  });
}

function slicesOf(
  placed: readonly PlacedOperator[],
  tensorOf: ReadonlyMap<TracedTensor, CellTensor>,
  devices: number,
): MindsporeClaims["slices"] {
  const found = new Map<string, MindsporeClaims["slices"][string]>();
  for (const { traced, model } of placed) {
    if (model === undefined) continue;
    const { deviceMatrix, inputMaps, outputs } = model;
    for (const [at, operand] of traced.inputs.entries()) {
      const tensor = operand.kind === "tensor" ? tensorOf.get(operand) : undefined;
      if (tensor?.role !== "parameter" || found.has(tensor.name)) continue;
      const map = { deviceMatrix, tensorMap: inputMaps[at] ?? [], shape: tensor.shape };
      found.set(tensor.name, rangesOf(map, devices));
    }
    const result = madeBy({ traced }, tensorOf);
    const [left] = outputs;
    if (result === undefined || left === undefined) continue;
    const matrix = left.deviceMatrix ?? deviceMatrix;
    const map = { deviceMatrix: matrix, tensorMap: left.map, shape: result.shape };
    found.set(result.name, rangesOf(map, devices));
  }
  return Object.fromEntries(found);
}

function rangesOf(
  { deviceMatrix, tensorMap, shape }: MappedTensor,
  devices: number,
): MindsporeClaims["slices"][string] {
  return Array.from({ length: devices }, (_, rank) =>
    shape.map((size, dim) => {
      const entry = tensorMap[dim] ?? -1;
      const length = size / pieceCount({ deviceMatrix, tensorMap: [entry], shape: [size] });
      const start = pieceOf(entry, deviceMatrix, rank) * length;
      return [start, start + length];
    }),
  );
}
