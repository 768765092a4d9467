import type { BoundCall, Loop, Operator } from "#core/ir";
import type { Part } from "#core/mesh";
import type { Dialect } from "./dialect.ts";
import { atom, type Labelled } from "./labelled.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { countOf } from "./parts.ts";

/** How the index axes of an operator lie on a device: whole, or cut into equal blocks. */
export class LocalAxes {
  private readonly sizes: ReadonlyMap<string, number>;
  private readonly cuts: Readonly<Record<string, readonly Part[]>>;
  private readonly mesh: MeshAtoms | undefined;
  private readonly dialect: Dialect;

  /** Without a mesh all axes are whole. */
  constructor(
    operator: Operator,
    call: BoundCall,
    dialect: Dialect,
    cuts: Readonly<Record<string, readonly Part[]>> = {},
    mesh?: MeshAtoms,
  ) {
    this.dialect = dialect;
    this.sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
    this.cuts = cuts;
    this.mesh = mesh;
    for (const [axis, parts] of Object.entries(cuts)) {
      if ((this.sizes.get(axis) ?? 1) % countOf(parts) !== 0)
        throw new NotWritten(`${operator.name} is cut unevenly along ${axis}`);
    }
  }

  has(axis: string): boolean {
    return this.sizes.has(axis);
  }

  /** How long an axis or a loop is on a device. */
  lengthOf({ axis, size }: Loop): number {
    if (size !== undefined) return size;
    return (this.sizes.get(axis) ?? 1) / countOf(this.partsOf(axis));
  }

  /** Where a device's block of an axis begins; undefined when the axis is whole. */
  startOf(axis: string): Labelled | undefined {
    const names = this.mesh?.axesOf(this.partsOf(axis)) ?? [];
    if (names.length === 0) return undefined;
    return {
      code: `${this.dialect.coordinate(names)} * ${this.lengthOf({ axis })}`,
      ...{ axes: [], binds: 3, isNumber: true },
    };
  }

  /** The indices along an axis or a loop, counted in the whole tensor. */
  indicesOf(loop: Loop): Labelled {
    const indices = atom(this.dialect.indices(this.lengthOf(loop)), [loop.axis]);
    const start = loop.size === undefined ? this.startOf(loop.axis) : undefined;
    if (start === undefined) return indices;
    return { code: `${start.code} + ${indices.code}`, axes: [loop.axis], binds: 2 };
  }

  private partsOf(axis: string): readonly Part[] {
    return Object.hasOwn(this.cuts, axis) ? (this.cuts[axis] ?? []) : [];
  }
}
