import type { Rect } from "#app/scene";
import type { CanvasEdge, CanvasNode, CanvasWindow } from "#app/scene/graph";
import type { LightOf } from "../compare/lit-nodes.ts";
import type { Lookup } from "./lookup.ts";

/** One version of the canvas' content. */
export interface Version {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly index: CanvasWindow;
  readonly lookup: Lookup;
  readonly lightOf: LightOf;
}

/** Box, and the version of the content that it shows. */
export interface ShownBox {
  readonly node: CanvasNode;
  readonly version: Pick<Version, "lookup" | "lightOf">;
}

export interface Shown {
  readonly boxes: readonly ShownBox[];
  readonly edges: readonly CanvasEdge[];
}

/** Boxes and edges of one version, without another. */
export function wholeVersion(version: Version): Shown {
  const { nodes, edges } = version;
  return { boxes: nodes.map((node) => ({ node, version })), edges };
}

/**
 * Boxes and edges while a new version is rendered: those near the view are of the new version, the
 * others of the old one if they still exist. The latter are out of view and cost no rendering yet.
 */
export function nearFirst(now: Version, before: Version, sight: Rect): Shown {
  const boxes = joined(now.nodes, before.nodes, [now, before].map(nodesIn(sight)));
  const edges = joined(now.edges, before.edges, [now, before].map(edgesIn(sight)));
  return {
    boxes: boxes.map(({ item, isNow }) => ({ node: item, version: isNow ? now : before })),
    edges: edges.map(({ item }) => item),
  };
}

function nodesIn(sight: Rect) {
  return ({ index }: Version) => index.nodesIn(sight);
}

function edgesIn(sight: Rect) {
  return ({ index }: Version) => index.edgesIn(sight);
}

interface Identified {
  readonly id: string;
}

interface Dated<T> {
  readonly item: T;
  readonly isNow: boolean;
}

/** Items near the view in either version as they are now, other items as they were. */
function joined<T extends Identified>(
  now: readonly T[],
  before: readonly T[],
  inSight: readonly (readonly T[])[],
): readonly Dated<T>[] {
  const near = new Set(inSight.flatMap((items) => items.map(({ id }) => id)));
  const known = new Map(before.map((item) => [item.id, item]));
  return now.flatMap((item): readonly Dated<T>[] => {
    if (near.has(item.id)) return [{ item, isNow: true }];
    const had = known.get(item.id);
    return had === undefined ? [] : [{ item: had, isNow: false }];
  });
}
