import type { DeviceMesh, Layout, Part } from "#core/mesh";
import type { SpmdProgram } from "#core/program";
import { type MeshAtoms, meshAtoms, meshOf, meshPartsOf, NotWritten } from "#systems/arrays";
import { type Placement, placementsOf } from "../placement.ts";

/**
 * The mesh of a DTensor program. Its axes are ordered so that every dim is cut outermost first, the
 * only order that placements have; ranks count along them. DTensor computes wrong numbers for other
 * rank orders (engine-torch.md §4.2), so the device order is left to the launcher.
 */
export interface RankMesh {
  readonly mesh: DeviceMesh;
  /** The plan's device id at each rank; absent when both are equal. */
  readonly order?: readonly number[];
  /** A layout of the plan, with ranks in place of device ids. */
  onRanks(layout: Layout): Layout;
  /**
   * One placement per axis.
   *
   * @throws NotWritten when a layout has none
   */
  placementsOf(layout: Layout, name: string): readonly Placement[];
}

/** @throws NotWritten when tensors are cut by the same axes in different orders */
export function rankMesh(program: SpmdProgram): RankMesh {
  const atoms = meshAtoms(meshOf(program), meshPartsOf(program));
  if (atoms.names.length === 0) throw new NotWritten("its mesh has no axis");
  const axes = orderedAxes(program, atoms).map((name) => {
    const at = atoms.names.indexOf(name);
    return { name, size: atoms.sizes[at] ?? 1 };
  });
  const count = axes.reduce((product, { size }) => product * size, 1);
  const mesh = { axes, devices: Array.from({ length: count }, (_, rank) => rank) };
  const order = deviceOrder(atoms, axes);
  const wholes = (parts: readonly Part[]) =>
    atoms.axesOf(parts).map((name): Part => {
      const size = axes.find((axis) => axis.name === name)?.size ?? 1;
      return { kind: "axis", axis: name, before: 1, size };
    });
  const onRanks = ({ dims, partials }: Layout): Layout => ({
    mesh,
    dims: dims.map((dim) => ({ ...dim, parts: wholes(dim.parts) })),
    partials: partials.flatMap(({ part, reduce }) =>
      wholes([part]).map((each) => ({ part: each, reduce })),
    ),
  });
  return {
    mesh,
    ...(order.some((device, rank) => device !== rank) && { order }),
    onRanks,
    placementsOf(layout, name) {
      const placements = placementsOf(onRanks(layout));
      if (placements === undefined) throw new NotWritten(`${name} has no placements of DTensor`);
      return placements;
    },
  };
}

/** Mesh axes, each after those that cut a dim outside it; ties follow the plan's mesh. */
function orderedAxes({ values, graph }: SpmdProgram, atoms: MeshAtoms): readonly string[] {
  const outer = new Map(atoms.names.map((name) => [name, new Set<string>()]));
  for (const { layout } of values) {
    for (const { parts } of layout.dims) {
      const names = atoms.axesOf(parts);
      for (const [at, name] of names.entries())
        for (const other of names.slice(0, at)) outer.get(name)?.add(other);
    }
  }
  const ordered: string[] = [];
  const isNext = (name: string) =>
    !ordered.includes(name) && [...(outer.get(name) ?? [])].every((each) => ordered.includes(each));
  while (ordered.length < atoms.names.length) {
    const next = atoms.names.find(isNext);
    if (next === undefined) throw new NotWritten(ordersText({ values, graph }, atoms));
    ordered.push(next);
  }
  return ordered;
}

/** `x is cut by dp and then mp, y by mp and then dp: …`, for the first two tensors that differ. */
function ordersText(
  { values, graph }: Pick<SpmdProgram, "values" | "graph">,
  atoms: MeshAtoms,
): string {
  const nested = values.flatMap(({ tensor, layout }) =>
    layout.dims.flatMap(({ parts }) => {
      const axes = atoms.axesOf(parts);
      const name = graph.tensors.find(({ id }) => id === tensor)?.name ?? tensor;
      return axes.length > 1 ? [{ name, axes }] : [];
    }),
  );
  const isTurned = (a: readonly string[], b: readonly string[]) =>
    a.some((axis, at) => a.slice(at + 1).some((inner) => isBefore(b, inner, axis)));
  const [first, second] = nested.flatMap((each) => {
    const other = nested.find(({ axes }) => isTurned(each.axes, axes));
    return other === undefined ? [] : [each, other];
  });
  const cut = [first, second].flatMap((each) =>
    each === undefined ? [] : [`${each.name} by ${each.axes.join(" and then ")}`],
  );
  const shown = cut.length === 0 ? "" : ` (${cut.join(", ")})`;
  return `dims are cut by axes in different orders${shown}, and the placements of DTensor have one`;
}

function isBefore(list: readonly string[], outer: string, inner: string): boolean {
  const [from, to] = [list.indexOf(outer), list.indexOf(inner)];
  return from >= 0 && from < to;
}

/** The plan's device id by rank. */
function deviceOrder(atoms: MeshAtoms, axes: DeviceMesh["axes"]): readonly number[] {
  const count = axes.reduce((product, { size }) => product * size, 1);
  const strides = new Map<string, number>();
  let stride = count;
  for (const [at, name] of atoms.names.entries()) {
    stride /= atoms.sizes[at] ?? 1;
    strides.set(name, stride);
  }
  return Array.from({ length: count }, (_, rank) => {
    let [position, rest] = [0, rank];
    for (const { name, size } of [...axes].reverse()) {
      position += (rest % size) * (strides.get(name) ?? 0);
      rest = Math.floor(rest / size);
    }
    return atoms.order?.[position] ?? position;
  });
}

/** `[Shard(0), Replicate()]`. */
export function placementsText(placements: readonly Placement[]): string {
  return `[${placements.map(placementText).join(", ")}]`;
}

/** `Shard(0)`, `Replicate()`, `Partial("max")`; a partial sum is `Partial()`. */
export function placementText(placement: Placement): string {
  if (placement.kind === "replicate") return "Replicate()";
  if (placement.kind === "shard") return `Shard(${placement.dim})`;
  return placement.reduce === "sum" ? "Partial()" : `Partial("${placement.reduce}")`;
}
