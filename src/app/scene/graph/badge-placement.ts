import type { CanvasNode } from "./canvas.ts";
import type { CanvasColumns } from "./canvas-columns.ts";
import { badgeNode, type CanvasNodes } from "./canvas-nodes.ts";
import { type CanvasParts, canvasEdge, type RoutedEdge } from "./canvas-parts.ts";
import type { CanvasRows } from "./canvas-rows.ts";
import type { EntryPorts } from "./entry-ports.ts";
import { flowKey } from "./flow.ts";
import { type Badges, badgeWidth } from "./redistribution-badge.ts";

/** Overlap (px) of a badge beside its line over that line. */
const over = 5;
/** Part of half a column (px) left free for the lines beside a badge. */
const besideBadge = 42;

/** All boxes, plus the badges right above their cards at the x where their lines enter. */
export function withEntryBadges(
  boxes: CanvasNodes,
  { entryBadges, arrivals }: CanvasRows,
  { pitch }: CanvasColumns,
  ports: EntryPorts,
  badges: Badges,
): CanvasNodes {
  if (entryBadges.length === 0) return boxes;
  const byEdge = new Map(arrivals.map(({ item }) => [item.edge, ports.ofArrival.get(item)]));
  const byFlow = new Map(boxes.byFlow);
  const added = entryBadges.flatMap(({ item: { badge, into, side }, y }): readonly CanvasNode[] => {
    const line = ports.ofHop.get(into) ?? byEdge.get(into);
    const words = badges(badge);
    if (line === undefined || words === undefined) return [];
    const isShort = badgeWidth(words, false) > pitch / 2 - besideBadge;
    const width = badgeWidth(words, isShort);
    const left = { left: line + over - width, right: line - over, middle: line - width / 2 }[side];
    const node = badgeNode(badges, badge, { y, left, isShort });
    if (node === undefined) return [];
    byFlow.set(flowKey({ kind: "badge", redistribution: badge }), node);
    return [node];
  });
  return { ...boxes, nodes: [...boxes.nodes, ...added], byFlow };
}

/** Lines from the badges right above cards down into those cards. */
export function dropEdges({ rows, boxes, ports }: CanvasParts): readonly RoutedEdge[] {
  const byEdge = new Map(rows.arrivals.map(({ item }) => [item.edge, ports.ofArrival.get(item)]));
  return rows.entryBadges.flatMap(({ item: { into, out } }): readonly RoutedEdge[] => {
    const x = ports.ofHop.get(into) ?? byEdge.get(into);
    const [from, to] = [boxes.byFlow.get(flowKey(out.from)), boxes.byFlow.get(flowKey(out.to))];
    if (x === undefined || from === undefined || to === undefined) return [];
    const points = [
      { x, y: from.y + from.height },
      { x, y: to.y },
    ];
    return [canvasEdge(from, to, out.tensor, points)];
  });
}
