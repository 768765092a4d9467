import { replicationOf } from "#core/mesh";
import { type AxisTag, tagsOf } from "../hue.ts";
import type { Mark, Rect, Size } from "../mark.ts";
import { dimName } from "../text/label.ts";
import type { DrawnDims, DrawnTensor, Side } from "./drawn-dims.ts";
import { type Margins, type Panel, type Panels, rulerRoom } from "./panels.ts";
import { facetRulerMarks, rulerMarks } from "./ruler-marks.ts";

const nameFrom = 90;
const nameHeight = 16;
const nameCharacter = 6.7;

/** Room for the dim names left of and above a drawing; none below 90 px or when not requested. */
export function nameRoom(
  tensor: DrawnTensor,
  dims: DrawnDims,
  size: Size,
  isAsked: boolean,
): Margins {
  if (!isAsked || Math.min(size.width, size.height) < nameFrom) return { left: 0, top: 0 };
  const left = sideTexts(tensor, dims, "down").reduce(
    (most, text) => Math.max(most, text.length * nameCharacter + 6),
    0,
  );
  const top = sideTexts(tensor, dims, "across").length * nameHeight;
  return size.width - left < nameFrom ? { left: 0, top } : { left, top };
}

/** The names and sizes of the drawn dims, columns above and rows at the left. */
export function nameMarks(
  tensor: DrawnTensor,
  dims: DrawnDims,
  { panels, used }: Panels,
  names: Margins,
): readonly Mark[] {
  const first = panels[0]?.rect ?? { x: 0, y: 0, width: 0, height: 0 };
  const last = panels.at(-1)?.rect ?? first;
  const middle = {
    x: (first.x + last.x + last.width) / 2,
    y: (first.y + last.y + last.height) / 2,
  };
  const across = names.top === 0 ? [] : sideTexts(tensor, dims, "across");
  const down = names.left === 0 ? [] : sideTexts(tensor, dims, "down");
  return [
    ...across.map((text, line): Mark => {
      const half = (text.length * nameCharacter) / 2;
      const x = Math.min(Math.max(middle.x, half), Math.max(used.width - half, half));
      return nameMark(text, { x, y: line * nameHeight + 11 }, "middle");
    }),
    ...down.map((text, line): Mark => {
      const y = middle.y + 4 + (line - (down.length - 1) / 2) * nameHeight;
      return nameMark(text, { x: names.left - 5, y }, "end");
    }),
  ];
}

/** Layers behind the facets, their paper, and all rulers. */
export function frameMarks(
  tensor: DrawnTensor,
  dims: DrawnDims,
  placed: Panels,
  names: Margins,
): readonly Mark[] {
  return [
    ...placed.panels.flatMap((panel) => layerMarks(tensor, panel.rect, placed)),
    ...outerRulers(dims, placed.panels, names),
    ...placed.panels.flatMap((panel) => innerRulers(dims, panel)),
  ];
}

/**
 * Second layers, farthest first: partials are nearest, then the mesh axes of copies in order. An
 * unverified tensor has broken edges instead of copies, since its values may differ.
 */
function layerMarks(
  { layout, unverified }: DrawnTensor,
  rect: Rect,
  { layerCount, layerStep }: Panels,
): readonly Mark[] {
  const partials = tagsOf(
    layout.mesh,
    layout.partials.map((partial) => partial.part),
  ).map((tag) => ({ role: "brokenEdge" as const, tag }));
  const copies = tagsOf(layout.mesh, replicationOf(layout)).map((tag) => ({
    role: unverified === undefined ? ("cardEdge" as const) : ("brokenEdge" as const),
    tag,
  }));
  const layers = [...partials, ...copies].slice(0, layerCount);
  const behind = layers
    .map(({ role, tag }, at) => layer(role, tag, rect, (at + 1) * layerStep))
    .reverse();
  return [...behind.flat(), { kind: "rect", role: "back", ...rect }];
}

function layer(
  role: "brokenEdge" | "cardEdge",
  tag: AxisTag,
  rect: Rect,
  offset: number,
): readonly Mark[] {
  const area = { ...rect, x: rect.x + offset, y: rect.y + offset };
  return [
    { kind: "rect", role: "back", ...area },
    { kind: "rect", role, hue: tag.hue, ...area },
  ];
}

function outerRulers(dims: DrawnDims, panels: readonly Panel[], names: Margins): readonly Mark[] {
  const across = panels
    .filter((panel) => panel.isFirstRow)
    .map(({ rect }) => ({
      start: rect.x,
      length: rect.width,
    }));
  const down = panels
    .filter((panel) => panel.isFirstColumn)
    .map(({ rect }) => ({
      start: rect.y,
      length: rect.height,
    }));
  return [
    ...facetRulerMarks(dims.outerColumns.slots, across, { direction: "across", offset: names.top }),
    ...facetRulerMarks(dims.outerRows.slots, down, { direction: "down", offset: names.left }),
  ];
}

function innerRulers(dims: DrawnDims, panel: Panel): readonly Mark[] {
  const { rect } = panel;
  const columns = rulerMarks(dims.columns.slots, {
    direction: "across",
    start: rect.x,
    length: rect.width,
    offset: rect.y - rulerRoom(dims.columns),
  });
  const rows = rulerMarks(dims.rows.slots, {
    direction: "down",
    start: rect.y,
    length: rect.height,
    offset: rect.x - rulerRoom(dims.rows),
  });
  return [...(panel.isFirstRow ? columns : []), ...(panel.isFirstColumn ? rows : [])];
}

/** Dim names and sizes along one edge, outer dim first. */
function sideTexts(
  { shape, dimNames }: DrawnTensor,
  dims: DrawnDims,
  direction: "across" | "down",
): readonly string[] {
  const sides: readonly Side[] =
    direction === "across" ? [dims.outerColumns, dims.columns] : [dims.outerRows, dims.rows];
  return sides.flatMap(({ dim }) =>
    dim === undefined ? [] : [`${dimName(dimNames, dim)} ${shape[dim] ?? 0}`],
  );
}

function nameMark(text: string, at: { x: number; y: number }, anchor: "middle" | "end"): Mark {
  return { kind: "text", role: "text", at, text, anchor, style: "name" };
}
