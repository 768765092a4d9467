import type { TensorId } from "#core/ir";
import { dropEdges } from "./badge-placement.ts";
import type { CanvasNode } from "./canvas.ts";
import { type CanvasParts, canvasEdge, type RoutedEdge, tieEdge } from "./canvas-parts.ts";
import { flowKey } from "./flow.ts";
import { edgesAbove, tiesBelow } from "./glyph-routes.ts";
import { sideEdges } from "./side-routes.ts";
import { trunkEdges } from "./trunk-routes.ts";

/**
 * All lines: straight down, from the glyphs beside cards, ties to results, and the long lines in
 * the remaining room or in the lanes.
 */
export function canvasEdges(parts: CanvasParts): readonly RoutedEdge[] {
  const short = [
    ...straightEdges(parts),
    ...sideEdges(parts),
    ...edgesAbove(parts),
    ...hopEdges(parts),
    ...dropEdges(parts),
    ...resultTies(parts),
    ...tiesBelow(parts),
  ];
  return [...short, ...trunkEdges(parts, short)];
}

function straightEdges({ arrangement, rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  const down = (from: CanvasNode, to: CanvasNode, tensor: TensorId) => {
    const x = from.x + from.width / 2;
    return canvasEdge(
      from,
      to,
      tensor,
      [
        { x, y: from.y + from.height },
        { x, y: to.y },
      ],
      to.kind !== "redistribution",
    );
  };
  const ends = rows.ends.flatMap(({ item }) => {
    const from = boxes.byFlow.get(`badge ${item}`);
    const to = byId.get(`output-${item}`);
    return from === undefined || to?.kind !== "output" ? [] : [down(from, to, to.tensor)];
  });
  const lines = arrangement.straight.flatMap((edge) => {
    const [from, to] = [boxes.byFlow.get(flowKey(edge.from)), boxes.byFlow.get(flowKey(edge.to))];
    return from === undefined || to === undefined ? [] : [down(from, to, edge.tensor)];
  });
  return [...lines, ...ends];
}

/** Lines from the end of a chain along the gap below it into a card of another column. */
function hopEdges({ arrangement, boxes, rows, ports }: CanvasParts): readonly RoutedEdge[] {
  return arrangement.gaps.flatMap(({ hops }) =>
    hops.flatMap((hop): readonly RoutedEdge[] => {
      const key = flowKey(hop.from);
      const [from, to] = [boxes.byFlow.get(key), boxes.byFlow.get(flowKey(hop.to))];
      const [y, port] = [rows.forks.get(key), ports.ofHop.get(hop)];
      if (from === undefined || to === undefined || y === undefined || port === undefined)
        return [];
      const x = from.x + from.width / 2;
      const corners = [
        { x, y: from.y + from.height },
        { x, y },
        { x: port, y },
        { x: port, y: to.y },
      ];
      return [canvasEdge(from, to, hop.tensor, corners)];
    }),
  );
}

/** Ties from cards to the glyphs of their results. */
function resultTies({ rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  return rows.right.flatMap(({ item, row }) => {
    const [card, glyph] = [boxes.byFlow.get(`card ${row}`), byId.get(`tensor-${item}`)];
    return card === undefined || glyph === undefined ? [] : [tieEdge(card, glyph, item)];
  });
}
