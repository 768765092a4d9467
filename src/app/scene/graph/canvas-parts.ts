import type { TensorId } from "#core/ir";
import type { Point } from "../mark.ts";
import type { Arrangement } from "./arrangement.ts";
import type { CanvasEdge, CanvasNode } from "./canvas.ts";
import type { CanvasColumns } from "./canvas-columns.ts";
import type { CanvasNodes } from "./canvas-nodes.ts";
import type { CanvasRows } from "./canvas-rows.ts";
import type { EntryPorts } from "./entry-ports.ts";
import type { Flow } from "./flow.ts";
import { withoutStraight } from "./polyline.ts";

/** Everything that line routing reads. */
export interface CanvasParts {
  readonly flow: Flow;
  readonly arrangement: Arrangement;
  readonly rows: CanvasRows;
  readonly columns: CanvasColumns;
  readonly boxes: CanvasNodes;
  readonly ports: EntryPorts;
  /**
   * Distance (px) left of its glyph at which a line to the lanes goes up from a glyph above a card,
   * by flow key.
   */
  readonly outsets: ReadonlyMap<string, number>;
}

/** A line between two boxes, before the drawing is shifted to its margin. */
export type RoutedEdge = Omit<CanvasEdge, "path">;

/** A line between two boxes along the given corners. */
export function canvasEdge(
  from: CanvasNode,
  to: CanvasNode,
  tensor: TensorId,
  corners: readonly Point[],
  hasArrow = true,
): RoutedEdge {
  const points = withoutStraight(corners);
  const id = `${from.id} ${to.id} ${tensor}`;
  return { id, from: from.id, to: to.id, tensor, points, hasArrow };
}

/**
 * A short tie, without arrow, from a card to the glyph of one of its results, in the space between
 * them.
 */
export function tieEdge(card: CanvasNode, glyph: CanvasNode, tensor: TensorId): RoutedEdge {
  const middle = glyph.y + glyph.height / 2;
  const leave = Math.min(Math.max(middle, card.y + 8), card.y + card.height - 8);
  const right = card.x + card.width;
  const bend = right + (glyph.x - right) / 2;
  const points = [
    { x: right, y: leave },
    { x: bend, y: leave },
    { x: bend, y: middle },
    { x: glyph.x, y: middle },
  ];
  return canvasEdge(card, glyph, tensor, points, false);
}
