import type { FlatStep, SpmdProgram } from "#core/program";

/** The numbers of lanes. */
const onDevice = 0;
const inNode = 1;
const onNetwork = 2;

/**
 * The lane of each step: an operator, and what sends nothing, is the device's own; a collective lies
 * on the network where some axis that it uses reaches out of a node, as the mesh is filled from its
 * innermost axis on.
 */
export function laneOf(program: SpmdProgram, node: number | undefined): (step: FlatStep) => number {
  const meshes = new Map(program.values.map(({ id, layout }) => [id, layout.mesh]));
  const known = new Map<unknown, ReadonlySet<string>>();
  const farAxes = (mesh: Mesh): ReadonlySet<string> => {
    const found = known.get(mesh) ?? farAxesOf(mesh, node);
    known.set(mesh, found);
    return found;
  };
  return (step) => {
    if (step.kind === "local" || step.collective === "slice") return onDevice;
    const mesh = meshes.get(step.input);
    if (mesh === undefined) return inNode;
    const far = farAxes(mesh);
    if (far.size === 0) return inNode;
    const names = step.axes.length > 0 ? step.axes.map(axisOf) : [...far];
    return names.some((name) => far.has(name)) ? onNetwork : inNode;
  };
}

type Mesh = SpmdProgram["values"][number]["layout"]["mesh"];

function axisOf(part: string): string {
  return part.split(":")[0] ?? part;
}

function farAxesOf({ axes }: Mesh, node: number | undefined): ReadonlySet<string> {
  const far = new Set<string>();
  let reach = 1;
  for (const { name, size, link } of axes.toReversed()) {
    reach *= size;
    const isOut = node !== undefined && reach > node;
    if (size > 1 && (isOut || link?.fabric === "two-level")) far.add(name);
  }
  return far;
}
