import { product } from "#core/arithmetic";
import type { Layout } from "#core/mesh";
import { mappedTensor } from "./mapped-tensor.ts";
import { redistributionFault } from "./redistribution/check-tensor.ts";
import { cleanedUp } from "./redistribution/clean-up.ts";

import { listOfRank, type RankOperator, shapesAlong } from "./redistribution/rank-list.ts";
import { redistribute } from "./redistribution/redistribute.ts";

/** A redistribution as the first device of the mesh executes it. */
export interface EdgeList {
  /**
   * The primitives of the list in order, e.g. `AllGather {0, 2}, Split, Concat dim 1`; empty for an
   * empty list.
   */
  readonly text: string;
  /** Elements that the device receives. */
  readonly elements: number;
  /** Elements of the largest local block over all steps, source and target included. */
  readonly largest: number;
}

/** MindSpore's operator lists for one redistribution. */
export interface EdgeLists {
  /** The list that operator inference emits (mindspore.md §3.6). */
  readonly raw: EdgeList;
  /** The list after the clean-up pass, which 2.10 always runs when it compiles (§3.8). */
  readonly clean: EdgeList;
  /**
   * With `enable_alltoall`, when an AlltoAll occurs; the clean-up pass does not change this list.
   */
  readonly allToAll?: EdgeList;
}

/**
 * The operator lists between two layouts; `undefined` if MindSpore cannot redistribute between
 * them.
 */
export function edgeLists(
  from: Layout,
  to: Layout,
  shape: readonly number[],
): EdgeLists | undefined {
  if (from.mesh.devices.join() !== to.mesh.devices.join()) return undefined;
  const [source, target] = [mappedTensor(from, shape), mappedTensor(to, shape)];
  if (source === undefined || target === undefined) return undefined;
  if (redistributionFault(source, target) !== undefined) return undefined;
  const { devices } = from.mesh;
  const redistribution = redistribute(source, target);
  const start = redistribution.sliceFrom;
  const list = listOfRank(redistribution, 0);
  const exchanged = listOfRank(redistribute(source, target, { allToAll: true }), 0);
  const hasExchange = exchanged.some(({ kind }) => kind === "permute");
  return {
    raw: told(list, start, devices),
    clean: told(cleanedUp(list, start, 0), start, devices),
    ...(hasExchange && { allToAll: told(exchanged, start, devices) }),
  };
}

function told(
  list: readonly RankOperator[],
  start: readonly number[],
  devices: readonly number[],
): EdgeList {
  const sizes = shapesAlong(start, list).map(product);
  return {
    text: list.map((operator) => textOf(operator, devices)).join(", "),
    elements: list.reduce((sum, operator, at) => sum + received(operator, sizes[at] ?? 0), 0),
    largest: Math.max(...sizes),
  };
}

function textOf(operator: RankOperator, devices: readonly number[]): string {
  const group = (ranks: readonly number[]) =>
    `{${ranks.map((rank) => devices[rank] ?? rank).join(", ")}}`;
  switch (operator.kind) {
    case "reshape":
      return `Reshape (${operator.shape.join(", ")})`;
    case "concat": {
      const { ranks, dim } = operator;
      const gather = `AllGather ${group(ranks)}`;
      return dim === 0 ? gather : `${gather}, Split, Concat dim ${dim}`;
    }
    case "slice":
      return `StridedSlice dim ${operator.dim} by ${operator.count}`;
    case "permute": {
      const { ranks, splitDim, concatDim } = operator;
      return `AlltoAll ${group(ranks)} from dim ${concatDim} to dim ${splitDim}`;
    }
  }
}

function received(operator: RankOperator, elements: number): number {
  switch (operator.kind) {
    case "concat":
      return (operator.ranks.length - 1) * elements;
    case "permute":
      return ((operator.ranks.length - 1) * elements) / operator.ranks.length;
    default:
      return 0;
  }
}
