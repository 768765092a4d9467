import type { Compiled } from "#compile";
import { unreachable } from "#core/diagnostics";
import type {
  BoardCard,
  BoardFrame,
  BoardGlyph,
  BoardLayout,
  BoardLine,
  BoardPill,
  BoardRole,
  BoardText,
} from "../board/board.ts";
import { type PillPiece, pillPieces } from "../board/board-texts.ts";
import { edgeArrow } from "../card/line-look.ts";
import { monoFont, uiFont } from "../fonts.ts";
import type { Point, Rect } from "../mark.ts";
import { collectiveSign } from "./collective-signs.ts";
import { mixColours, type SvgColours } from "./svg-colours.ts";
import { areaSvg, segmentsSvg } from "./svg-marks.ts";
import { glyphSvg } from "./svg-tensor.ts";
import { element, escaped, type SvgBody, short, tinted } from "./svg-writer.ts";

/** A plan by rows as a drawing, with the content of the screen and text as text elements. */
export function boardBody(
  compiled: Compiled,
  { width, height, heads, rows, lines }: BoardLayout,
  colours: SvgColours,
): SvgBody {
  const frames = rows.flatMap((row) => row.frames);
  return {
    width,
    height,
    marks: [
      ...frames.map((frame) => frameSvg(frame, colours)),
      ...lines.map((line) => lineSvg(line, colours)),
      ...frames.flatMap(({ texts }) =>
        texts.map((text) => groundSvg(text, colours) + textSvg(text, colours)),
      ),
      ...heads.map((text) => textSvg(text, colours)),
      ...rows.flatMap(({ pills }) => pills.map((pill) => pillSvg(pill, colours))),
      ...rows.flatMap(({ cards }) => cards.map((card) => cardSvg(compiled, card, colours))),
    ].join("\n"),
  };
}

/** A frame; one that represents equal modules has two more edges behind it. */
function frameSvg({ x, y, width, height, count, depth }: BoardFrame, colours: SvgColours): string {
  const edge = { fill: "none", stroke: colours.line };
  const behind = (count > 1 ? [6, 3] : []).map((off) => {
    const d = `M${short(x + off)} ${short(y + height + off - 3)}v3h${short(width)}v${short(-height)}h-3`;
    return element("path", { d, ...edge });
  });
  const fill = depth === 0 ? "none" : mixColours(colours.sunken, colours.surface, 45);
  return behind.join("") + boxSvg({ x, y, width, height }, 7, fill, colours.line);
}

function boxSvg(box: Rect, rx: number, fill: string, stroke: string): string {
  const inside = { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1 };
  return element("rect", { ...inside, rx, fill, stroke });
}

function lineSvg(line: BoardLine, colours: SvgColours): string {
  const isWide = line.kind === "flow" || line.kind === "skip";
  const look = { fill: "none", stroke: colours.edge, "stroke-width": isWide ? 1.5 : 1.2 };
  const arrow = edgeArrow(line);
  const head = arrow === undefined ? "" : areaSvg(arrow, colours.edge);
  return element("path", { d: line.path, ...look }) + head;
}

const mono = { "font-family": monoFont, "font-size": 11 } as const;
const ui = { "font-family": uiFont, "font-size": 11 } as const;

/** The face, size and weight of each role; the style sheet's `.bt` has the same. */
const looks = {
  name: { ...mono, "font-size": 12, "font-weight": 600, "letter-spacing": -0.24 },
  layout: { ...mono, "letter-spacing": -0.44 },
  count: { ...mono, "font-weight": 600 },
  head: { ...ui, "font-weight": 600 },
  time: ui,
  note: ui,
} as const satisfies Record<BoardRole, object>;

/** Distance (px) from the middle of a line down to its baseline. */
const toBaseline = 4;

/** A text at its place. */
function textSvg(
  { role, segments, x, y, width, height, isAtEnd }: BoardText,
  colours: SvgColours,
): string {
  const at = { x: isAtEnd ? x + width : x, y: y + height / 2 + toBaseline };
  const fill = role === "name" ? colours.ink : colours.ink2;
  const anchor = isAtEnd ? { "text-anchor": "end" } : {};
  const words = segmentsSvg(segments, colours);
  return element("text", { ...at, ...anchor, ...looks[role], fill }, words);
}

/** The background of a text that crosses a line. */
function groundSvg({ x, y, width, height }: BoardText, { surface }: SvgColours): string {
  return element("rect", { x: x - 2, y, width: width + 4, height, fill: surface });
}

function cardSvg(compiled: Compiled, card: BoardCard, colours: SvgColours): string {
  const { kind, x, y, width, height, texts, glyph, heat } = card;
  const isShaded = kind === "module" || kind === "group";
  const isPale = kind === "gradient" || kind === "update";
  const fill = isShaded ? colours.sunken : isPale ? colours.canvas : colours.surface;
  const bar = { x, y: y + height - 3, width: Math.max(1, heat * width), height: 3 };
  return [
    kind === "weight" ? "" : boxSvg(card, kind === "input" ? 12 : 5, fill, colours.line),
    heat > 0 ? element("rect", { ...bar, fill: colours.edge }) : "",
    glyph === undefined ? "" : boxedGlyphSvg(compiled, glyph, colours),
    ...texts.map((text) => textSvg(text, colours)),
  ].join("");
}

/** A glyph, inset by one pixel in its box. */
function boxedGlyphSvg(
  compiled: Compiled,
  { tensor, layout, x, y, width, height }: BoardGlyph,
  colours: SvgColours,
): string {
  const room = { x: x + 1, middle: y + height / 2, width: width - 2, height: height - 2 };
  return glyphSvg(compiled, tensor, room, colours, layout);
}

/** The words of a pill: each collective with its sign and axes, then the numbers. */
function pillSvg(pill: BoardPill, colours: SvgColours): string {
  const { x, y, width, height, exposed } = pill;
  const { pieces, width: all } = pillPieces(pill);
  const at = { x: x + (width - all) / 2, y: y + height / 2 };
  const inside = pieces.map((piece) => pieceSvg(piece, pill, at, colours)).join("");
  const edge = exposed === 0 ? colours.line : colours.ink2;
  return boxSvg(pill, 9, colours.surface, edge) + inside;
}

/** A piece of a pill; `from` is the left end and vertical middle of the pill's pieces. */
function pieceSvg(
  piece: PillPiece,
  { numbers, exposed = 1 }: BoardPill,
  from: Point,
  colours: SvgColours,
): string {
  const [x, middle] = [from.x + piece.x, from.y];
  const ink = exposed === 0 ? colours.ink2 : colours.ink;
  const at = { x, y: middle + toBaseline };
  switch (piece.kind) {
    case "sign":
      return collectiveSign(piece.collective, { x, y: middle - 6 }, ink);
    case "words":
      return element("text", { ...at, ...ui, "font-weight": 500, fill: ink }, escaped(piece.text));
    case "axis": {
      const { hue, text } = piece.tag;
      const box = { x, y: middle - 7, width: piece.width, height: 14, rx: 3 };
      const letters = { ...at, ...mono, x: x + 4, "font-weight": 600 };
      return (
        element("rect", { ...box, fill: tinted(colours, hue, 13) }) +
        element("text", { ...letters, fill: colours.axisInks[hue] }, escaped(text))
      );
    }
    case "numbers":
      return element("text", { ...at, ...ui, fill: colours.ink2 }, escaped(numbers));
    case "exposed":
      return exposedSvg({ x, y: middle - 5 }, exposed, colours);
    default:
      return unreachable(piece);
  }
}

/** A square filled up to the exposed share of time. */
function exposedSvg(
  { x, y }: Pick<Rect, "x" | "y">,
  share: number,
  { ink2, surface }: SvgColours,
): string {
  const full = { x: x + 1, y: y + 1 + 8 * (1 - share), width: 8, height: 8 * share, fill: ink2 };
  const edge = boxSvg({ x, y, width: 10, height: 10 }, 2, surface, ink2);
  return edge + element("rect", full);
}
