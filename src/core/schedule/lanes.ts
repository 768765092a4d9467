import { type FlatStep, type SpmdProgram, type ValueId, valuesById } from "#core/program";

/** The numbers of the lanes. */
const onDevice = 0;
const inNode = 1;
const onNetwork = 2;

/**
 * The lane of each step. Operators, and collectives that send nothing, run on the device; a
 * collective is on the network if some axis that it uses leaves a node, as the mesh is filled from
 * its innermost axis on.
 */
export function laneOf(program: SpmdProgram, node: number | undefined): (step: FlatStep) => number {
  const meshOf = meshesOf(program);
  const known = new Map<Mesh, ReadonlySet<string>>();
  const farAxes = (mesh: Mesh): ReadonlySet<string> => {
    const found = known.get(mesh) ?? farAxesOf(mesh, node);
    known.set(mesh, found);
    return found;
  };
  return (step) => {
    if (step.kind === "local" || step.collective === "slice") return onDevice;
    const mesh = meshOf(step.input);
    if (mesh === undefined) return inNode;
    const far = farAxes(mesh);
    if (far.size === 0) return inNode;
    const isFar = step.axes.length === 0 || step.axes.some((part) => far.has(axisOf(part)));
    return isFar ? onNetwork : inNode;
  };
}

/** The mesh of a value; nearly always all values have the same. */
function meshesOf(program: SpmdProgram): (id: ValueId) => Mesh | undefined {
  const only = program.values[0]?.layout.mesh;
  if (program.values.every(({ layout }) => layout.mesh === only)) return () => only;
  const values = valuesById(program);
  return (id) => values.get(id)?.layout.mesh;
}

type Mesh = SpmdProgram["values"][number]["layout"]["mesh"];

function axisOf(part: string): string {
  const end = part.indexOf(":");
  return end < 0 ? part : part.slice(0, end);
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
