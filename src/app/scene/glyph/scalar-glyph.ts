import { replicationOf } from "#core/mesh";
import { tagsOf } from "../hue.ts";
import type { Badge, Glyph, Mark } from "../mark.ts";
import type { DrawnTensor } from "./drawn-dims.ts";

const radius = 7;
const step = 3;
const center = { x: radius, y: radius };
/** The question mark for a tensor of unknown dims, centred in its circle. */
export const questionMark: Mark = {
  ...{ kind: "text", role: "text", text: "?", anchor: "middle", style: "name" },
  at: { x: radius, y: radius + 3.5 },
};

/**
 * A scalar: a dot in a circle, with a hatched circle behind it for copies. A tensor of unknown
 * dims: a `?` in a broken circle.
 */
export function scalarGlyph(
  { layout, unverified, dimNames }: DrawnTensor,
  badges: readonly Badge[],
): Glyph {
  const copies = tagsOf(layout.mesh, replicationOf(layout))[0];
  const partial = tagsOf(
    layout.mesh,
    layout.partials.map(({ part }) => part),
  )[0];
  const behind = { x: radius + step, y: radius + step };
  const marks: Mark[] = [];
  const isUnknown = dimNames.length > 0;
  const isOwn = unverified !== undefined || isUnknown;
  if (partial !== undefined) marks.push(circle("brokenEdge", behind, partial.hue));
  else if (isOwn) marks.push(circle("brokenEdge", behind, copies?.hue));
  else if (copies !== undefined) marks.push(circle("cardEdge", behind, copies.hue));
  marks.push(
    circle("whole", center),
    circle(partial === undefined && !isOwn ? "outline" : "broken", center),
  );
  if (partial !== undefined) marks.push(circle("dots", center, partial.hue));
  if (isUnknown) marks.push(questionMark);
  else marks.push({ kind: "circle", role: "dot", center, radius: 2.4 });
  const size = 2 * radius + (marks.length > 3 ? step : 0);
  const devices = layout.mesh.devices;
  const area = { x: 0, y: 0, width: 2 * radius, height: 2 * radius };
  const cells = [{ box: [], devices, areas: [area] }];
  return { detail: "cells", width: size, height: size, marks, cells, badges };
}

function circle(
  role: Mark["role"],
  center: { readonly x: number; readonly y: number },
  hue?: NonNullable<Mark["hue"]>,
): Mark {
  return { kind: "circle", role, center, radius, ...(hue === undefined ? {} : { hue }) };
}
