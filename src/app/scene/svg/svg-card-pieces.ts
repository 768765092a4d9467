import type { CardPiece, ShownStatus } from "../card/card.ts";
import { canvasTexts, chipLook, statusLook } from "../card/card-look.ts";
import type { AxisTag } from "../hue.ts";
import type { Point } from "../mark.ts";
import {
  chipTextWidth,
  chipWidth,
  stepGap,
  tagPadding,
  textAttributes,
  textWidth,
  toBaseline,
  widthOf,
} from "./svg-card-measure.ts";
import type { SvgColours } from "./svg-colours.ts";
import { element, escaped, tinted } from "./svg-writer.ts";

/** A status: its word with a filled dot, a ring or a dashed square; `x` is the left end. */
export function statusSvg(status: ShownStatus, { x, y }: Point, colours: SvgColours): string {
  const { size, edge, gap } = statusLook;
  const fill = status === "set" ? colours.ink2 : colours[canvasTexts.status.ink];
  const words = {
    x: x + size + gap,
    y: y + toBaseline,
    ...textAttributes("status", colours),
    fill,
  };
  const ring = size - edge;
  const look = { fill: "none", stroke: colours.edge, "stroke-width": edge };
  const box = { x: x + edge / 2, y: y - ring / 2, width: ring, height: ring };
  const isSet = status === "set";
  const mark =
    status === "assumed"
      ? element("rect", { ...box, rx: 1, ...look, "stroke-dasharray": "2 2" })
      : element("circle", {
          cx: x + size / 2,
          cy: y,
          r: ring / 2,
          ...look,
          ...(isSet && { fill: colours.ink2, stroke: colours.ink2 }),
        });
  return element("text", words, escaped(status)) + mark;
}

/** A word in a frame. */
export function tagSvg(text: string, { x, y }: Point, colours: SvgColours): string {
  const width = widthOf({ kind: "words", role: "tag", text });
  const box = { x: x + 0.5, y: y - 7.5, width: width - 1, height: 15, rx: chipLook.radius };
  const words = { x: x + tagPadding + 1, y: y + toBaseline, ...textAttributes("tag", colours) };
  return (
    element("rect", { ...box, fill: "none", stroke: colours.line }) +
    element("text", words, escaped(text))
  );
}

/** Strategy chips side by side. */
export function chipsSvg(
  { chips, status }: Extract<CardPiece, { kind: "chips" }>,
  { x, y }: Point,
  colours: SvgColours,
): string {
  let left = x;
  return chips
    .map((chip) => {
      const at = { x: left, y };
      left += chipWidth(chip) + chipLook.gap;
      return chipSvg(chip, at, status === "set", colours);
    })
    .join("");
}

type Chip = Extract<CardPiece, { kind: "chips" }>["chips"][number];

function chipSvg(chip: Chip, { x, y }: Point, isSolid: boolean, colours: SvgColours): string {
  let left = x + chipTextWidth(chip.identifier);
  const axes = chip.axes.map((tag) => {
    const at = { x: left, y };
    left += chipTextWidth(tag.text);
    return axisSvg(tag, at, colours);
  });
  const words = { x: x + chipLook.padding, y: y + toBaseline, ...textAttributes("chip", colours) };
  const frame = {
    x: x + 0.5,
    y: y - chipLook.height / 2 + 0.5,
    width: chipWidth(chip) - 1,
    height: chipLook.height - 1,
    rx: chipLook.radius,
  };
  return [
    ...axes,
    element("text", words, escaped(chip.identifier)),
    element("rect", {
      ...frame,
      fill: "none",
      stroke: colours.edge,
      "stroke-dasharray": isSolid ? undefined : chipLook.dash.join(" "),
    }),
  ].join("");
}

/** An axis name in its ink on its tint. */
function axisSvg({ text, hue }: AxisTag, { x, y }: Point, colours: SvgColours): string {
  const height = chipLook.height - 2;
  const box = { x, y: y - height / 2, width: chipTextWidth(text) - 1, height };
  const words = { x: x + chipLook.padding, y: y + toBaseline, ...textAttributes("axis", colours) };
  return (
    element("rect", { ...box, rx: 2, fill: tinted(colours, hue, chipLook.tint) }) +
    element("text", { ...words, fill: colours.axisInks[hue] }, escaped(text))
  );
}

/** A collective and its mesh axes. */
export function stepSvg(
  { collective, axes }: Extract<CardPiece, { kind: "step" }>,
  { x, y }: Point,
  colours: SvgColours,
): string {
  let left = x + textWidth(collective, "step") + stepGap;
  const words = { x, y: y + toBaseline, ...textAttributes("step", colours) };
  const chips = axes.map((tag) => {
    const at = { x: left, y };
    left += chipTextWidth(tag.text) + stepGap;
    return axisSvg(tag, at, colours);
  });
  return element("text", words, escaped(collective)) + chips.join("");
}
