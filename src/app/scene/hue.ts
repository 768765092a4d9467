import type { AxisName, DeviceMesh, Part } from "#core/mesh";

/** Number of a mesh axis' colour, texture and dash in the palette. */
export type Hue = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A mesh axis (or sub-axis) as text with its hue. */
export interface AxisTag {
  readonly text: string;
  readonly hue: Hue;
}

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Hue of a mesh axis: its place in the mesh, so a name keeps its colour in one document.
 *
 * The ninth axis reuses the first hue and so on; an axis that the mesh lacks gets the first.
 */
export function hueOf(mesh: DeviceMesh, axis: AxisName): Hue {
  const position = mesh.axes.findIndex((candidate) => candidate.name === axis);
  return hues[Math.max(position, 0) % hues.length] ?? 1;
}

/** A part as the label spells it: `mp`, the sub-axis `mp:(2)4`, or `2 pieces` without a hue. */
export function partText(mesh: DeviceMesh, part: Part): string {
  if (part.kind === "pieces") return `${part.count} pieces`;
  const whole = mesh.axes.some((axis) => axis.name === part.axis && axis.size === part.size);
  return whole && part.before === 1 ? part.axis : `${part.axis}:(${part.before})${part.size}`;
}

/** The tag of each part that is a mesh axis or a piece of one. */
export function tagsOf(mesh: DeviceMesh, parts: readonly Part[]): readonly AxisTag[] {
  return parts.flatMap((part) =>
    part.kind === "axis" ? [{ text: partText(mesh, part), hue: hueOf(mesh, part.axis) }] : [],
  );
}
