import { memo, useContext, useMemo } from "react";
import type { Rect } from "#app/scene";
import type { CanvasEdge, CanvasFrame, CanvasNode, CanvasWindow } from "#app/scene/graph";
import { LitContext } from "../compare/lit-nodes.ts";
import { useWaiting } from "../store-context.tsx";
import { usePainted } from "../use-painted.ts";
import { useCardNodes } from "./CardNodes.tsx";
import { Edges } from "./Edges.tsx";
import { LookupContext } from "./lookup.ts";
import { nearFirst, type Shown, type Version, wholeVersion } from "./near-first.ts";

interface Props {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly frames: readonly CanvasFrame[];
  readonly index: CanvasWindow;
  readonly sight: Rect | undefined;
}

/**
 * Boxes as nodes of React Flow, and the lines between them. After an edit those in view are
 * rendered first, the others after the next paint.
 */
export const Contents = memo(function Contents({ nodes, edges, frames, index, sight }: Props) {
  const lookup = useContext(LookupContext);
  const lightOf = useContext(LitContext);
  const now = useMemo(
    () => ({ nodes, edges, index, lookup, lightOf }),
    [nodes, edges, index, lookup, lightOf],
  );
  const shown = useNearFirst(now, sight);
  useCardNodes(shown.boxes);
  return <Edges edges={shown.edges} frames={frames} />;
});

function useNearFirst(now: Version, sight: Rect | undefined): Shown {
  const before = usePainted(now);
  // A window that moves over an unchanged plan renders its boxes at once.
  const isEdited = now.lookup !== before.lookup || now.index !== before.index;
  const waits = isEdited && sight !== undefined && sight.width > 0;
  useWaiting(waits);
  return useMemo(
    () => (waits ? nearFirst(now, before, sight) : wholeVersion(now)),
    [waits, now, before, sight],
  );
}
