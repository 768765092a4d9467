import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allPatterns, type Mark, type MarkRole, patternId, tileOf } from "#app/scene";
import { mixColours, svgColours, tokenOf } from "#app/scene/svg";
import { marksSvg } from "../../scene/svg/svg-marks.ts";
import { paintMarks } from "../canvas/mark-painter.ts";
import { paintOf } from "./paint.ts";

const theme = svgColours.dark;

/** Paint of one mark; a pattern is identified by its repeated tile. */
interface Painted {
  readonly fill: string;
  readonly stroke: string;
  readonly width: number;
  readonly dash: string;
}

const unpainted: Painted = { fill: "none", stroke: "none", width: 1, dash: "" };

function patternIn(text: string): string | undefined {
  const pattern = allPatterns.find((each) => text === `url(#${patternId(each)})`);
  return pattern && tileOf(pattern).path;
}

/** Replaces the custom properties in a CSS colour by the theme's values. */
function inTheme(text: string): string {
  const known = Object.entries(tokenOf).reduce(
    (css, [tone, token]) => css.replaceAll(`var(--${token})`, theme[tone as keyof typeof tokenOf]),
    text.replaceAll("var(--axis-3)", theme.axes[3]),
  );
  const mix =
    /^color-mix\(in oklab, (#\w+) (?:calc\()?(\d+)%( \+ var\(--tint-more\)\))?, (#\w+)\)$/;
  const [, first = "", percent = "", more, second = ""] = mix.exec(known) ?? [];
  if (first === "") return patternIn(known) ?? known;
  return mixColours(first, second, Number(percent) + (more === undefined ? 0 : theme.tintMore));
}

function bySvg(svg: string): Painted {
  const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(svg)?.[1];
  const [fill, stroke] = [read("fill") ?? "black", read("stroke") ?? "none"].map(inTheme);
  const [width, dash] = [Number(read("stroke-width") ?? 1), read("stroke-dasharray") ?? ""];
  return {
    ...unpainted,
    fill: fill ?? "",
    ...(stroke !== "none" && { stroke: stroke ?? "", width, dash }),
  };
}

/** Paint that the SVG element of a mark gets. */
function onPageOf(mark: Exclude<Mark, { kind: "text" }>): Painted {
  const { fill, stroke, strokeWidth: width = 1, strokeDasharray: dash = "" } = paintOf(mark);
  const line = stroke === undefined ? {} : { stroke: inTheme(stroke), width, dash };
  return { ...unpainted, fill: inTheme(fill), ...line };
}

/** Fake canvas context that records its last paint. */
class FakePen {
  fillStyle: unknown = "";
  strokeStyle: unknown = "";
  lineWidth = 1;
  globalAlpha = 1;
  painted: Painted = unpainted;
  path = "";
  private dash: readonly number[] = [];
  setLineDash(dash: readonly number[]) {
    this.dash = dash;
  }
  fill(path: { readonly d: string }) {
    this.path = path.d;
    this.painted = { ...this.painted, fill: String(this.fillStyle) };
  }
  stroke(path: { readonly d: string }) {
    this.path = path.d;
    const [stroke, width] = [String(this.strokeStyle), this.lineWidth];
    this.painted = { ...this.painted, stroke, width, dash: this.dash.join(" ") };
  }
  createPattern(tile: { readonly pen: FakePen }) {
    return { setTransform: () => {}, toString: () => tile.pen.path };
  }
  scale() {}
  save() {}
  restore() {}
}

class FakePath {
  readonly d: string;
  constructor(d = "") {
    this.d = d;
  }
  rect() {}
  moveTo() {}
  lineTo() {}
  closePath() {}
}

class FakeMatrix {
  rotate = () => this;
  scale = () => this;
}

class FakeCanvas {
  readonly pen = new FakePen();
  getContext = () => this.pen;
}

function byCanvas(mark: Mark): Painted {
  const pen = new FakePen();
  // The fake has only the members that painting uses.
  paintMarks(pen as unknown as OffscreenCanvasRenderingContext2D, [mark], theme);
  return pen.painted;
}

beforeEach(() => {
  vi.stubGlobal("Path2D", FakePath);
  vi.stubGlobal("OffscreenCanvas", FakeCanvas);
  vi.stubGlobal("DOMMatrix", FakeMatrix);
});
afterEach(() => vi.unstubAllGlobals());

type Role = Exclude<MarkRole, "text">;

const roles: readonly Role[] = [
  ...(["back", "whole", "tint", "texture", "hatch", "dots", "halo", "cut"] as const),
  ...(["ruler", "outline", "broken", "cardEdge", "brokenEdge", "ghost", "dot"] as const),
];
const area = { kind: "rect", x: 0, y: 0, width: 9, height: 9 } as const;
const line = { kind: "line", from: { x: 0, y: 0 }, to: { x: 9, y: 0 }, thickness: 2.5 } as const;
const hued = { hue: 3, tint: 20, step: 2 } as const;

test.each(roles)("page, canvas and picture paint %s alike, with an axis and without", (role) => {
  for (const shape of [area, line, { ...line, dash: [7, 3] }]) {
    for (const hue of [{}, hued]) {
      const mark = { ...shape, ...hue, role } as const;
      const onPage = onPageOf(mark);
      const inPicture = bySvg(marksSvg([mark], theme));
      expect(onPage, "page and picture").toEqual(inPicture);
      expect(byCanvas(mark), "canvas and picture").toEqual(inPicture);
    }
  }
});

test("what can be told apart is painted differently", () => {
  const shown = roles.map((role) => JSON.stringify(byCanvas({ ...area, ...hued, role })));
  expect(new Set(shown).size).toBe(roles.length);
});
