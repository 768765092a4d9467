import { type Layout, type Part, partSize } from "#core/mesh";
import { numpyName } from "./dtypes.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import type { Port } from "./port.ts";
import { axisNames, tuple } from "./python-names.ts";

/** The parts of a module. */
export interface FileParts {
  readonly mesh: MeshAtoms;
  readonly ports: { readonly inputs: readonly Port[]; readonly outputs: readonly Port[] };
  readonly reference: readonly string[];
  readonly device: readonly string[];
  readonly results: { readonly plan: readonly string[]; readonly reference: readonly string[] };
  /** Sums and products of integers alone: both programs agree to the bit. */
  readonly isExact: boolean;
  readonly needsElement: boolean;
}

const elementFunction = `
def element(x, *at):
    """The elements of x at some indices; 0 where they lie outside of it."""
    at = jnp.broadcast_arrays(*(jnp.asarray(i, jnp.int32) for i in at))
    inside = jnp.all(jnp.stack([(i >= 0) & (i < n) for i, n in zip(at, x.shape)]), axis=0)
    return jnp.where(inside, x[tuple(jnp.clip(i, 0, n - 1) for i, n in zip(at, x.shape))], 0)

`;

/** The text of a module: sizes, the unsharded program, the plan, and a check of one by the other. */
export function fileText(parts: FileParts): string {
  const { mesh, ports, reference, device, results, needsElement, isExact } = parts;
  const inputs = ports.inputs.map(({ name }) => name).join(", ");
  const specs = (list: readonly Port[]) => tuple(list.map(({ layout }) => specOf(layout, mesh)));
  const count = mesh.sizes.reduce((product, size) => product * size, 1);
  return `"""A plan for ${count} devices, written as one program per device.

On one host without accelerators: XLA_FLAGS=--xla_force_host_platform_device_count=${count} python plan.py
On several hosts: call jax.distributed.initialize() first and start the file on each of them.
Run as a program, the file compares the plan with the unsharded program on random integers.
"""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

MESH_SHAPE, AXIS_NAMES = ${tuple(mesh.sizes)}, ${tuple(mesh.names.map((name) => `"${name}"`))}
DEVICE_ORDER = ${mesh.order === undefined ? "None" : `[${mesh.order.join(", ")}]`}  # position in the mesh -> device id
INPUTS = {
${ports.inputs.map((port) => `    ${inputLine(port, mesh)},\n`).join("")}}
OUTPUTS = {
${ports.outputs.map(({ name, layout }) => `    "${name}": "${layoutText(layout, mesh)}",\n`).join("")}}
TOLERANCE = ${toleranceOf(ports, isExact)}  # of the greatest value of the reference

${needsElement ? elementFunction : ""}
def reference(${inputs}):
${indented(reference, 1)}
    return ${tuple(results.reference)}


def plan(mesh):
    def device(${inputs}):
${indented(device, 2)}
        return ${tuple(results.plan)}

    return jax.shard_map(
        device, mesh=mesh,
        in_specs=${specs(ports.inputs)},
        out_specs=${specs(ports.outputs)},
        check_vma=False,
    )


def verify():
    devices = np.array(jax.devices())[np.array(DEVICE_ORDER or range(${count}))]
    mesh = Mesh(devices.reshape(MESH_SHAPE), AXIS_NAMES)
    random = np.random.default_rng(0)
    given = [random.integers(-4, 5, shape).astype(jnp.dtype(dtype)) for shape, dtype, _ in INPUTS.values()]
    for name, got, want in zip(OUTPUTS, jax.jit(plan(mesh))(*given), reference(*given)):
        want = np.asarray(want, np.float64)
        far = np.abs(np.asarray(got, np.float64) - want).max(initial=0)
        assert far <= TOLERANCE * max(1, np.abs(want).max(initial=0)), f"{name} is off by {far}"
    print("the plan equals the unsharded program")


if __name__ == "__main__":
    verify()
`;
}

function inputLine({ name, shape, dtype, layout }: Port, mesh: MeshAtoms): string {
  return `"${name}": (${tuple(shape)}, "${numpyName(dtype)}", "${layoutText(layout, mesh)}")`;
}

/** Rounding of the coarsest dtype that takes part, with room for long sums; 0 for integers. */
function toleranceOf({ inputs, outputs }: FileParts["ports"], isExact: boolean): string {
  const dtypes = new Set([...inputs, ...outputs].map(({ dtype }) => dtype));
  if (dtypes.has("bf16")) return "5e-2";
  if (dtypes.has("f16")) return "1e-2";
  return isExact ? "0" : "1e-4";
}

function specOf({ dims }: Layout, mesh: MeshAtoms): string {
  const entries = dims.map(({ parts }) =>
    countOf(parts) === 1 ? "None" : axisNames(mesh.axesOf(parts)),
  );
  return `P(${entries.join(", ")})`;
}

/** Dims apart by commas, the axes of a dim by stars, outermost first: \`dp*mp,_\`. */
function layoutText({ dims }: Layout, mesh: MeshAtoms): string {
  return dims.map(({ parts }) => mesh.axesOf(parts).join("*") || "_").join(",");
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((product, part) => product * partSize(part), 1);
}

function indented(lines: readonly string[], depth: number): string {
  return lines.map((line) => `${"    ".repeat(depth)}${line}`).join("\n");
}
