import type { Rect } from "#app/scene";
import { type CardSource, farCardOf } from "#app/scene/card";
import type { CanvasLayout, CanvasNode } from "#app/scene/graph";
import { modulePathParts } from "#core/ir";
import { type FarLabel, shortOf, widthOf } from "./far-words.ts";

/** Height of a label on the screen and the room after it, in screen pixels. */
const lineHeight = 13;
const lineEnd = 4;

/** Height of a column head, in canvas pixels. */
const headHeight = 20;

/** Most letters of a card's name in a label; longer names are cut to make room for others. */
const mostLetters = 14;

/**
 * Labels of a graph whose cards are too small for names: column heads, then blocks, modules and
 * cards, none overlapping. A card whose name does not fit has no label.
 */
export function farLabels(
  layout: CanvasLayout,
  source: CardSource,
  zoom: number,
): readonly FarLabel[] {
  const isFree = createRoom(zoom);
  const cards = layout.nodes.filter(({ kind }) => kind === "operator" || kind === "input");
  const blocks = layout.nodes.filter(({ kind }) => kind === "stack" || kind === "run");
  const own = (node: CanvasNode): FarLabel => {
    const { name, count } = farCardOf(source, node);
    const short = shortOf(name, widthOf("m".repeat(mostLetters), zoom) + 1e-6, zoom);
    const text = count === undefined ? short : `${short} ${count}`;
    return { text, x: node.x, y: node.y + node.height / 2 };
  };
  return [
    ...layout.heads.map(({ text, x, y }) => ({
      ...{ text, x, y: y + headHeight - lineHeight / 2 / zoom },
    })),
    ...blocks.map(own),
    ...moduleLabels(layout, source, zoom),
    ...cards.map(own),
  ].filter((label) => label.text !== "" && isFree(label));
}

/**
 * Labels of modules whose cards are closer together than lines of text, at their first card, outer
 * modules first.
 */
function moduleLabels(
  { nodes, heads }: CanvasLayout,
  { operators }: CardSource,
  zoom: number,
): readonly FarLabel[] {
  const modules = new Map<string, { text: string; depth: number; box: Rect; count: number }>();
  for (const node of nodes) {
    const module = node.kind === "operator" ? operators.get(node.operator)?.module : undefined;
    const parts = modulePathParts(module ?? "");
    const column = heads.filter(({ x }) => x <= node.x).length;
    for (const [depth, text] of parts.entries()) {
      const key = `${column} ${parts.slice(0, depth + 1).join(".")}`;
      const before = modules.get(key);
      const box = before === undefined ? node : around(before.box, node);
      modules.set(key, { text, depth, box, count: (before?.count ?? 0) + 1 });
    }
  }
  return [...modules.values()]
    .filter(({ box, count }) => count > 1 && box.height * zoom < count * lineHeight)
    .sort((a, b) => a.depth - b.depth)
    .map(({ text, box }) => ({ text, x: box.x, y: box.y + lineHeight / 2 / zoom }));
}

function around(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Returns a function that claims the place of a label on the screen; false if another label has it.
 */
function createRoom(zoom: number): (label: FarLabel) => boolean {
  const lines = new Map<number, { readonly y: number; from: number; to: number }[]>();
  return ({ text, x, y }) => {
    const line = { y: y * zoom, from: x * zoom, to: (x + widthOf(text, zoom)) * zoom + lineEnd };
    const at = Math.floor(line.y / lineHeight);
    const near = [at - 1, at, at + 1].flatMap((each) => lines.get(each) ?? []);
    const isTaken = near.some(
      (other) =>
        Math.abs(other.y - line.y) < lineHeight && other.from < line.to && line.from < other.to,
    );
    if (!isTaken) lines.set(at, [...(lines.get(at) ?? []), line]);
    return !isTaken;
  };
}
