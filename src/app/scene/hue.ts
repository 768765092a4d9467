import type { AxisName, DeviceMesh, Part } from "#core/mesh";

/** Number of a mesh axis' colour, texture and dash in the palette. */
export type Hue = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A mesh axis (or sub-axis) as text with its hue. */
export interface AxisTag {
  readonly text: string;
  readonly hue: Hue;
}

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Hues of meshes whose axes have changed places, by the names of the axes in order. */
const kept = new Map<string, ReadonlyMap<AxisName, Hue>>();

/**
 * Hue of a mesh axis: its place in the mesh, or the hue that it had before the axes changed places
 * (`keepHues`). The ninth axis reuses the first hue and so on; an axis that the mesh lacks gets the
 * first.
 */
export function hueOf(mesh: DeviceMesh, axis: AxisName): Hue {
  const known = kept.size === 0 ? undefined : kept.get(namesIn(mesh))?.get(axis);
  return known ?? hueAt(mesh.axes.findIndex((candidate) => candidate.name === axis));
}

/**
 * Gives the axes of a mesh the hues that they had in the mesh before an edit, by their names; new
 * axes get the first hues that are free. One page shows one document, so this holds for all of it.
 */
export function keepHues(before: DeviceMesh, after: DeviceMesh): void {
  const last = new Map(before.axes.map(({ name }) => [name, hueOf(before, name)]));
  const taken = new Set(after.axes.flatMap(({ name }) => last.get(name) ?? []));
  const free = hues.filter((hue) => !taken.has(hue));
  const next = after.axes.map(({ name }, at): [AxisName, Hue] => [
    name,
    last.get(name) ?? free.shift() ?? hueAt(at),
  ]);
  const isPlain = next.every(([, hue], at) => hue === hueAt(at));
  if (isPlain) kept.delete(namesIn(after));
  else kept.set(namesIn(after), new Map(next));
}

/** Forgets what was kept, as a page that is loaded anew. @internal */
export function forgetHues(): void {
  kept.clear();
}

function hueAt(position: number): Hue {
  return hues[Math.max(position, 0) % hues.length] ?? 1;
}

function namesIn({ axes }: DeviceMesh): string {
  return axes.map(({ name }) => name).join(",");
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
