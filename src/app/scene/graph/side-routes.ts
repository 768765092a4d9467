import type { CanvasNode } from "./canvas.ts";
import { type CanvasParts, canvasEdge, type RoutedEdge } from "./canvas-parts.ts";
import { flowKey } from "./flow.ts";

const jogStep = 6;
const jogFrom = 8;
const portInset = 10;

/** Lines from the glyphs at the left into the card beside them; their jogs do not cross. */
export function sideEdges({ arrangement, rows, boxes }: CanvasParts): readonly RoutedEdge[] {
  const { ranking, abreast } = arrangement;
  const cards = arrangement.side.flatMap(({ to, tensor }) => {
    if (to.kind === "card" && abreast.has(ranking.rankOf(to.row))) return [];
    const [card, glyph] = [boxes.byFlow.get(flowKey(to)), boxes.byFlow.get(`source ${tensor}`)];
    return to.kind !== "card" || card === undefined || glyph === undefined
      ? []
      : [{ row: to.row, card, glyph, tensor }];
  });
  const lines = [...new Map(cards.map((each) => [`${each.row} ${each.tensor}`, each])).values()];
  const byRow = new Map<number, typeof lines>();
  for (const line of lines) byRow.set(line.row, [...(byRow.get(line.row) ?? []), line]);
  return rows.cards.flatMap(({ item: row }) => {
    const here = (byRow.get(row) ?? []).toSorted((a, b) => a.glyph.y - b.glyph.y);
    const ports = here.map(({ card, glyph }, at) => portOf(card, glyph, at, here.length));
    return here.map(({ card, glyph, tensor }, at) => {
      const leftEnd = glyph.x + glyph.width;
      const start = { x: leftEnd, y: middleOf(glyph) };
      const port = ports[at] ?? start.y;
      const x =
        leftEnd +
        jogFrom +
        jogStep *
          jogRank(
            here.map(({ glyph: g }) => middleOf(g)),
            ports,
            at,
          );
      return canvasEdge(glyph, card, tensor, [
        start,
        { x, y: start.y },
        { x, y: port },
        { x: card.x, y: port },
      ]);
    });
  });
}

/**
 * The y at which a line enters the left edge of a card: level with its glyph if it is the only
 * line.
 */
function portOf(card: CanvasNode, glyph: CanvasNode, at: number, count: number): number {
  if (count === 1) {
    const [least, most] = [card.y + portInset, card.y + card.height - portInset];
    return Math.min(Math.max(middleOf(glyph), least), most);
  }
  const room = card.height - 2 * portInset;
  return card.y + portInset + (room * at) / (count - 1);
}

/**
 * Rank of a line's jog: of lines that go down, the higher its start, the farther right; of lines
 * that go up, the lower.
 */
function jogRank(starts: readonly number[], ports: readonly number[], at: number): number {
  const goesDown = (line: number) => (starts[line] ?? 0) <= (ports[line] ?? 0);
  const isDown = goesDown(at);
  return starts.filter((_, other) =>
    isDown ? other > at && goesDown(other) : other < at && !goesDown(other),
  ).length;
}

function middleOf({ y, height }: CanvasNode): number {
  return y + height / 2;
}
