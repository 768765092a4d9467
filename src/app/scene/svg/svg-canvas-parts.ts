import { type OpAnno, printAnnotation } from "#core/dimops";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import type { CanvasNode } from "../graph/canvas.ts";
import { type AxisTag, tagsOf } from "../hue.ts";
import type { Point } from "../mark.ts";
import type { SvgColours } from "./svg-colours.ts";
import { element, escaped, monoFont, tinted, uiFont } from "./svg-writer.ts";

const mono = { "font-family": monoFont, "font-size": 11 };
const words = { "font-family": uiFont, "font-size": 11 };
const chipHeight = 18;

/** As much of a text as a room has place for, an ellipsis for the rest. */
export function fitted(text: string, room: number, characterWidth: number): string {
  const most = Math.max(1, Math.floor(room / characterWidth));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** One chip of a strategy: the identifier and the axes that cut it. */
export interface StrategyChip {
  readonly identifier: string;
  readonly axes: readonly AxisTag[];
  readonly isDashed: boolean;
  readonly width: number;
}

/** The chips of an operator's strategy, in the order of its identifiers. */
export function strategyChips(plan: OperatorPlan): readonly StrategyChip[] {
  return Object.entries(plan.strategy.cuts).flatMap(([identifier, parts]) => {
    const axes = tagsOf(plan.mesh, parts);
    const width = textWidth(identifier) + axes.reduce((sum, { text }) => sum + textWidth(text), 0);
    const isDashed = plan.status !== "set";
    return axes.length === 0 ? [] : [{ identifier, axes, isDashed, width }];
  });
}

/** Chips beside each other from a top left corner. */
export function chipMarks(
  chips: readonly StrategyChip[],
  { x, y }: Point,
  colours: SvgColours,
): string {
  let left = x;
  return chips
    .map((chip) => {
      const start = left;
      left += chip.width + 4;
      return chipMark(chip, { x: start, y }, colours);
    })
    .join("");
}

function chipMark(chip: StrategyChip, { x, y }: Point, colours: SvgColours): string {
  let left = x + textWidth(chip.identifier);
  const axes = chip.axes.map((tag) => {
    const start = left;
    left += textWidth(tag.text);
    return axisMark(tag, { x: start, y }, colours);
  });
  return [
    ...axes,
    element("text", { x: x + 4, y: y + 13, ...mono, fill: colours.ink }, escaped(chip.identifier)),
    element("rect", {
      x: x + 0.5,
      y: y + 0.5,
      width: chip.width - 1,
      height: chipHeight - 1,
      rx: 3,
      fill: "none",
      stroke: colours.edge,
      "stroke-dasharray": chip.isDashed ? "3 2" : undefined,
    }),
  ].join("");
}

function axisMark({ text, hue }: AxisTag, { x, y }: Point, colours: SvgColours): string {
  const box = { x, y: y + 1, width: textWidth(text) - 1, height: chipHeight - 2 };
  return (
    element("rect", { ...box, rx: 2, fill: tinted(colours, hue, 13) }) +
    element(
      "text",
      { x: x + 4, y: y + 13, ...mono, "font-weight": 600, fill: colours.axisInks[hue] },
      escaped(text),
    )
  );
}

function textWidth(text: string): number {
  return text.length * 6.7 + 8;
}

/** An annotation with the identifiers that are cut in the ink of their first axis. */
export function annotationText(
  annotation: OpAnno,
  plan: OperatorPlan | undefined,
  colours: SvgColours,
  room: number,
): string {
  const text = fitted(printAnnotation(annotation).replaceAll("->", "→"), room, 6.6);
  return text
    .split(/([A-Za-z_]\w*)/)
    .map((word) => {
      const [axis] =
        plan === undefined ? [] : tagsOf(plan.mesh, fieldOf(plan.strategy.cuts, word) ?? []);
      if (axis === undefined) return escaped(word);
      const look = { fill: colours.axisInks[axis.hue], "font-weight": 600 };
      return element("tspan", { ...look, "text-decoration": "underline" }, escaped(word));
    })
    .join("");
}

/** A redistribution on its line: each collective with its axes, then bytes and time. */
export function badgeMarks(
  node: Extract<CanvasNode, { kind: "redistribution" }>,
  colours: SvgColours,
): string {
  const { x, y, width, height, badge, isShort } = node;
  const frame = { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, rx: 12 };
  let left = x + 12;
  const parts: string[] = [];
  if (badge.of !== undefined) {
    const look = { ...mono, "font-weight": 600, fill: colours.ink };
    parts.push(element("text", { x: left, y: y + 16, ...look }, escaped(badge.of)));
    left += badge.of.length * 6.8 + 8;
  }
  for (const { collective, axes } of badge.steps) {
    const look = { ...words, "font-weight": 500, fill: colours.ink };
    parts.push(element("text", { x: left, y: y + 16, ...look }, escaped(collective)));
    left += collective.length * 5.9 + 8;
    for (const tag of axes) {
      parts.push(axisMark(tag, { x: left, y: y + 3 }, colours));
      left += textWidth(tag.text) + 4;
    }
  }
  const numbers = element(
    "text",
    { x: x + width - 11, y: y + 16, ...words, fill: colours.ink2, "text-anchor": "end" },
    escaped(badge.numbers),
  );
  const paper = element("rect", { ...frame, fill: colours.surface, stroke: colours.edge });
  return paper + parts.join("") + (isShort ? "" : numbers);
}
