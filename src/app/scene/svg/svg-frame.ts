import { arrowCorners } from "../card/line-look.ts";
import { monoFont, uiFont } from "../fonts.ts";
import type { Point } from "../mark.ts";
import { framePlus, frameTexts, frameWay } from "../player/frame-look.ts";
import type { FrameScene, FrameText } from "../player/frame-scene.ts";
import { plateWidth } from "../player/frame-scene.ts";
import type { FrameWay } from "../player/frame-ways.ts";
import type { SvgColours } from "./svg-colours.ts";
import { areaSvg, marksSvg, segmentsSvg } from "./svg-marks.ts";
import { element, type SvgBody } from "./svg-writer.ts";

const plateHeight = 16;

/** A frame of the step view as a still drawing: before, transfers and after, all in full ink. */
export function frameBody(scene: FrameScene, colours: SvgColours): SvgBody {
  const { width, height } = scene;
  return {
    width,
    height,
    marks: [
      ...scene.ways.map((way) => wayMark(way, colours)),
      marksSvg(scene.marks, colours),
      ...scene.pluses.map((at) => plusMark(at, scene.plusRadius, colours)),
      ...scene.texts.map((text) => textMark(text, colours)),
      "",
    ].join("\n"),
  };
}

function wayMark(way: FrameWay, colours: SvgColours): string {
  const stroke = way.hue === undefined ? colours.edge : colours.axes[way.hue];
  const look = { fill: "none", stroke, "stroke-width": frameWay.width, opacity: way.opacity };
  const line = element("path", {
    d: way.path,
    ...look,
    "stroke-dasharray": way.isKept ? undefined : frameWay.dash.join(" "),
  });
  if (!way.hasArrow) return line;
  return line + areaSvg(arrowCorners(endOf(way.path), [1, 0], frameWay.width), stroke);
}

/** End point of a path: x after `H`, a relative x after `h`, else the last point of a curve. */
function endOf(path: string): Point {
  const [, startX = 0, startY = 0] = (/^M(\S+) ([^HhC]+)/.exec(path) ?? []).map(Number);
  const [, kind = "", last = ""] = /([HhC])([^HhC]*)$/.exec(path) ?? [];
  const numbers = last.trim().split(/\s+/).map(Number);
  if (kind === "H") return { x: numbers[0] ?? startX, y: startY };
  if (kind === "h") return { x: startX + (numbers[0] ?? 0), y: startY };
  return { x: numbers.at(-2) ?? startX, y: numbers.at(-1) ?? startY };
}

function plusMark({ x, y }: Point, radius: number, colours: SvgColours): string {
  const arm = radius / 2;
  return (
    element("circle", {
      cx: x,
      cy: y,
      r: radius,
      fill: colours.surface,
      stroke: colours.ink,
      "stroke-width": framePlus.ring,
    }) +
    element("path", {
      d: `M${x - arm} ${y}h${radius}M${x} ${y - arm}v${radius}`,
      stroke: colours.ink,
      "stroke-width": framePlus.cross,
    })
  );
}

function textMark({ at, anchor, style, segments }: FrameText, colours: SvgColours): string {
  const { face, size, weight, ink } = frameTexts[style];
  const font = { "font-family": face === "mono" ? monoFont : uiFont, "font-size": size };
  const look = { ...font, "font-weight": weight, fill: colours[ink] };
  const place = { x: at.x, y: at.y, "text-anchor": anchor };
  const words = element("text", { ...place, ...look }, segmentsSvg(segments, colours));
  if (style !== "bytes") return words;
  const width = plateWidth(segments.map(({ text }) => text).join(""));
  const plate = { x: at.x - width / 2, y: at.y - 12, width, height: plateHeight, rx: 2 };
  return element("rect", { ...plate, fill: colours.surface }) + words;
}
