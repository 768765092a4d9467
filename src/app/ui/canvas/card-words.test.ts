import { createElement } from "react";
import { expect, test, vi } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { type CardPiece, farCardOf, pieceText } from "#app/scene/card";
import {
  type CanvasLayout,
  type CanvasNode,
  createWindow,
  labelRooms,
  layoutGraph,
} from "#app/scene/graph";
import { svgColours } from "#app/scene/svg";
import { type Compiled, compile } from "#compile";
import { cardOf } from "../../scene/card/card-of.ts";
import { cardSvg } from "../../scene/svg/svg-card.ts";
import { createPanelPage, plainText } from "../panel.testing.ts";
import { nodeTypes } from "./CardNodes.tsx";
import { createCardNodes } from "./card-nodes.ts";
import { paintFarCanvas } from "./far-painter.ts";
import { createLookup } from "./lookup.ts";

// The page is never rendered on a server, so its stores have no server snapshot: the client's is
// used.
vi.mock("react", async (original) => ({
  ...(await original<typeof import("react")>()),
  useSyncExternalStore: <T>(_listen: unknown, answer: () => T) => answer(),
}));

/** Words of a piece, split where an element may hold one alone. */
function atomsOf(piece: CardPiece): readonly string[] {
  switch (piece.kind) {
    case "chips":
      return piece.chips.flatMap(({ identifier, axes }) => [
        identifier,
        ...axes.map(({ text }) => text),
      ]);
    case "step":
      return [piece.collective, ...piece.axes.map(({ text }) => text)];
    default:
      return [pieceText(piece)];
  }
}

interface Drawn {
  readonly compiled: Compiled;
  readonly layout: CanvasLayout;
}

/** Words of a box's card as data, in order. */
function saidOf({ compiled }: Drawn, node: CanvasNode): readonly string[] {
  const { rows, beside } = cardOf(createLookup()(compiled), node);
  return [...rows.flatMap(({ start, end }) => [...start, ...end]), ...beside].flatMap(atomsOf);
}

/** Words of an SVG: of each `text` element, or of each `tspan` on its line. */
function wordsOfSvg(svg: string): readonly string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].flatMap(([, inside = ""]) =>
    inside.startsWith("<tspan") ? wordsOfLine(inside) : [plainText(inside)],
  );
}

function wordsOfLine(line: string): readonly string[] {
  const pieces: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: tag, index } of line.matchAll(/<\/?tspan[^>]*>/g)) {
    if (depth === 0) from = index;
    depth += tag.startsWith("</") ? -1 : 1;
    if (depth === 0) pieces.push(plainText(line.slice(from, index)));
  }
  return pieces;
}

/** Whether the shown words are the whole text, or the text with a part cut out at the ellipsis. */
function isShort(shown: string, said: string): boolean {
  const [start = "", end] = shown.split("…");
  return shown === said || (end !== undefined && said.startsWith(start) && said.endsWith(end));
}

const sorted = (words: readonly string[]) => [...words].sort();

function pageOf({ compiled, layout }: Drawn): (node: CanvasNode) => string {
  const draw = createPanelPage();
  const [lookup, index] = [createLookup()(compiled), createWindow(layout)];
  const version = { ...layout, index, lookup, lightOf: () => undefined };
  const nodesOf = createCardNodes();
  return (node) => {
    const [card] = nodesOf([{ node, version }]);
    if (card === undefined) return "";
    // React Flow passes more props, none of which a card reads.
    const props = { data: card.data } as Parameters<typeof nodeTypes.card>[0];
    return draw(createElement(nodeTypes.card, props));
  };
}

/** Text that an element shows, without the visually hidden words and the icons. */
function shownText(markup: string): string {
  const drawn = markup.replace(/<span class="vh">.*?<\/span>/g, "").replace(/<svg.*?<\/svg>/g, "");
  return plainText(drawn.replace(/<button[^>]*class="run-scope".*?<\/button>/g, ""));
}

/** Fake 2D context that records the texts painted on it. */
function recordingPen() {
  const written: string[] = [];
  const known: Record<PropertyKey, unknown> = { fillText: (text: string) => written.push(text) };
  const pen = new Proxy(known, {
    get: (target, name) => (name in target ? target[name] : () => undefined),
  });
  // The fake answers every call that the painter makes.
  return { written, pen: pen as unknown as CanvasRenderingContext2D };
}

function paintedWords({ compiled, layout }: Drawn, nodes: readonly CanvasNode[]) {
  const { written, pen } = recordingPen();
  const roomBeside = labelRooms(createWindow(layout));
  const bitmaps = { of: () => undefined };
  const seen = {
    nodes,
    edges: [],
    frames: [],
    labels: [],
    roomBeside,
    bitmaps,
    lightOf: () => undefined,
  };
  const lookup = createLookup()(compiled);
  paintFarCanvas(pen, { ...seen, lookup, theme: "light", zoom: 0.45 });
  return written;
}

const shown = [
  ...["two-matmuls", "transformer-stack", "zero", "nnscaler-norm", "mindspore-net"],
  ...["three-cuts", "device-order", "attention-heads", "uneven-dim", "expert-parallel"],
];

function drawnOf(name: string): Drawn {
  const example = examples.find((each) => each.name === name);
  const compiled = compile(example === undefined ? "" : exampleText(example));
  const folded = layoutGraph(compiled);
  const open = folded.nodes.flatMap((node) =>
    node.kind === "stack" ? node.stack.runs.slice(0, 1).map(({ key }) => key) : [],
  );
  return { compiled, layout: open.length === 0 ? folded : layoutGraph(compiled, new Set(open)) };
}

test.each(shown)("what the cards of %s say stands on the page, in pictures and afar", (name) => {
  const drawn = drawnOf(name);
  const page = pageOf(drawn);
  expect(drawn.layout.nodes.length).toBeGreaterThan(2);
  for (const node of drawn.layout.nodes) {
    const said = saidOf(drawn, node);
    const card = cardOf(createLookup()(drawn.compiled), node);
    const pictured = wordsOfSvg(cardSvg(card, node, svgColours.light));
    expect(pictured.length, node.id).toBe(said.length);
    const cut = sorted(pictured).filter((words, at) => words !== sorted(said)[at]);
    for (const words of cut)
      expect(
        said.some((each) => isShort(words, each)),
        words,
      ).toBe(true);
    expect(shownText(page(node)).replaceAll(" ", ""), node.id).toBe(
      said.join("").replaceAll(" ", ""),
    );
    const { name: called, count, bars } = farCardOf(createLookup()(drawn.compiled), node);
    const afar = [called, ...(count === undefined ? [] : [count])].filter((word) => word !== "");
    const painted = paintedWords(drawn, [node]);
    expect(painted.length, node.id).toBe(afar.length);
    for (const [at, words] of painted.entries()) {
      expect(isShort(words, afar[at] ?? ""), words).toBe(true);
      expect(said).toContain(afar[at]);
    }
    const isCut = node.kind === "operator" || node.kind === "redistribution";
    expect(bars.length).toBe(isCut ? axesOf(card) : 0);
  }
});

function axesOf({ rows }: { readonly rows: ReturnType<typeof cardOf>["rows"] }): number {
  return rows
    .flatMap(({ start, end }) => [...start, ...end])
    .flatMap((piece) => {
      if (piece.kind === "chips") return piece.chips.flatMap(({ axes }) => axes);
      return piece.kind === "step" ? piece.axes : [];
    }).length;
}
