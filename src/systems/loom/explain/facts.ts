import type { Box } from "#core/indexspace";
import { lengthOf, volumeOf } from "#core/indexspace";
import type { TwoTexts } from "#language/texts";
import type { GraphReading } from "#systems/system/graph";
import { allowedDtypes } from "./allowed-dtypes.ts";
import { nodeTitle, type OutlinedNode, outlineOf } from "./outline.ts";
import type { LoomPlace } from "./place.ts";

/** Facts about a LoomGraph's JSON, available even when parts of it cannot be read. */
export interface LoomFacts {
  readonly texts: TwoTexts;
  /** The readable part; its spans are offsets in the JSON. */
  readonly reading: GraphReading | undefined;
  readonly nodes: readonly OutlinedNode[];
  readonly byId: ReadonlyMap<string, OutlinedNode>;
  /** Data types that the plan allows; absent where the plan does not list any. */
  readonly dtypes?: readonly string[];
}

/** Collects the facts of a graph and its plan. */
export function loomFactsOf(texts: TwoTexts, reading: GraphReading | undefined): LoomFacts {
  const nodes = outlineOf(texts.json);
  const dtypes = allowedDtypes(texts.plan)?.names;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return { texts, reading, nodes, byId, ...(dtypes !== undefined && { dtypes }) };
}

/** The node that contains a place. */
export function nodeAround({ byId }: LoomFacts, place: LoomPlace): OutlinedNode | undefined {
  const id = place.texts[2]?.get("id");
  return place.way[0] === "nodes" && id !== undefined ? byId.get(id.toLowerCase()) : undefined;
}

/** Kind of the node that contains a place, even if the node is incomplete; "" when unknown. */
export function kindAround(place: LoomPlace): string {
  return /[A-Za-z]+$/.exec(place.texts[2]?.get("type") ?? "")?.[0] ?? "";
}

/** `zr[0:10, 0:5]`. */
export function rangeWords(range: Box): string {
  return `zr[${range.map(({ start, stop }) => `${start}:${stop}`).join(", ")}]`;
}

/** `zr[0:10, 0:5], 10 × 5 = 50 cells`. */
export function rangeSentence(range: Box): string {
  const shape = range.map(lengthOf).join(" × ");
  const cells = volumeOf(range);
  return `${rangeWords(range)}, ${range.length > 1 ? `${shape} = ` : ""}${cells} ${cells === 1 ? "cell" : "cells"}`;
}

/** `t0: int32 zr[0:10, 0:5]`. */
export function tensorWords(tensor: OutlinedNode): string {
  const range = tensor.range === undefined ? "" : ` ${rangeWords(tensor.range)}`;
  return `${nodeTitle(tensor)}: ${tensor.dtype ?? "?"}${range}`;
}
