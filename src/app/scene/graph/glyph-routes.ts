import { groupedBy } from "#core/records";
import { type CanvasParts, canvasEdge, type RoutedEdge } from "./canvas-parts.ts";
import { glyphLineStep } from "./column-widths.ts";

/**
 * Lines from the glyphs above a card down into it; the upper the glyph, the farther right its line.
 */
export function edgesAbove({ rows, boxes, arrangement }: CanvasParts): readonly RoutedEdge[] {
  const beside = new Set(
    arrangement.side.flatMap(({ to, tensor }) =>
      to.kind === "card" ? [`${to.row} ${tensor}`] : [],
    ),
  );
  return [...groupedBy(rows.above, ({ row }) => row)].flatMap(([row, stacks]) =>
    stacks.flatMap(({ item: { tensor } }, at): readonly RoutedEdge[] => {
      const [glyph, card] = [boxes.byFlow.get(`source ${tensor}`), boxes.byFlow.get(`card ${row}`)];
      if (glyph === undefined || card === undefined || !beside.has(`${row} ${tensor}`)) return [];
      const start = { x: glyph.x + glyph.width, y: glyph.y + glyph.height / 2 };
      const x = start.x + (stacks.length - at) * glyphLineStep;
      return [canvasEdge(glyph, card, tensor, [start, { x, y: start.y }, { x, y: card.y }])];
    }),
  );
}

/** Ties from a card to the glyphs below it; the lower the glyph, the farther right its tie. */
export function tiesBelow({ rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const byId = new Map(boxes.nodes.map((node) => [node.id, node]));
  return [...groupedBy(rows.below, ({ row }) => row)].flatMap(([row, results]) =>
    results.flatMap(({ item }, at): readonly RoutedEdge[] => {
      const [card, glyph] = [boxes.byFlow.get(`card ${row}`), byId.get(`tensor-${item}`)];
      if (card === undefined || glyph === undefined) return [];
      const end = { x: glyph.x + glyph.width, y: glyph.y + glyph.height / 2 };
      const x = end.x + (at + 1) * glyphLineStep;
      const points = [{ x, y: card.y + card.height }, { x, y: end.y }, end];
      return [canvasEdge(card, glyph, item, points, false)];
    }),
  );
}

/**
 * Distance (px) left of a glyph above a card at which its line to the lanes goes up, by flow key.
 */
export function outsetsAbove({ above }: CanvasParts["rows"]): ReadonlyMap<string, number> {
  const outsets = new Map<string, number>();
  for (const stacks of groupedBy(above, ({ row }) => row).values()) {
    const keys = stacks.flatMap(({ item: { tensor, under } }) => [
      `source ${tensor}`,
      ...under.map(({ item }) => `badge ${item}`),
    ]);
    for (const [at, key] of keys.entries()) outsets.set(key, (at + 1) * glyphLineStep);
  }
  return outsets;
}
