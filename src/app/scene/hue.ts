import type { AxisName, DeviceMesh, Part } from "#core/mesh";

/** Palette number of a mesh axis' colour, texture and dash. */
export type Hue = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A mesh axis (or sub-axis) as text, with its hue. */
export interface AxisTag {
  readonly text: string;
  readonly hue: Hue;
}

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Hues of meshes whose axes were reordered, by the axis names in order. */
const kept = new Map<string, ReadonlyMap<AxisName, Hue>>();

/**
 * Hue of a mesh axis: its position in the mesh, or the hue it had before the axes were reordered
 * (`keepHues`). The ninth axis reuses the first hue and so on; an axis that the mesh lacks gets the
 * first.
 */
export function hueOf(mesh: DeviceMesh, axis: AxisName): Hue {
  const known = kept.size === 0 ? undefined : kept.get(namesIn(mesh))?.get(axis);
  return known ?? hueAt(mesh.axes.findIndex((candidate) => candidate.name === axis));
}

/**
 * Gives the axes of a mesh the hues that they had before an edit, matched by name; new axes get the
 * first free hues. The record is global, since one page shows one document.
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

/** Clears the kept hues, like a page reload. @internal */
export function forgetHues(): void {
  kept.clear();
}

function hueAt(position: number): Hue {
  return hues[Math.max(position, 0) % hues.length] ?? 1;
}

function namesIn({ axes }: DeviceMesh): string {
  return axes.map(({ name }) => name).join(",");
}

/** A part in label notation: `mp`, the sub-axis `mp:(2)4`, or `2 pieces`, which has no hue. */
export function partText(mesh: DeviceMesh, part: Part): string {
  if (part.kind === "pieces") return `${part.count} pieces`;
  const whole = mesh.axes.some((axis) => axis.name === part.axis && axis.size === part.size);
  return whole && part.before === 1 ? part.axis : `${part.axis}:(${part.before})${part.size}`;
}

/** The tag of each part that is a mesh axis or sub-axis. */
export function tagsOf(mesh: DeviceMesh, parts: readonly Part[]): readonly AxisTag[] {
  return parts.flatMap((part) =>
    part.kind === "axis" ? [{ text: partText(mesh, part), hue: hueOf(mesh, part.axis) }] : [],
  );
}
