import { dimCount, type Layout } from "#core/mesh";
import {
  axisNames,
  indented,
  layoutText,
  type MeshAtoms,
  numpyName,
  type Port,
  type ProgramLines,
  toleranceOf,
  tuple,
} from "#systems/arrays";

const elementFunction = `
def element(x, *at):
    """The elements of x at some indices; 0 where they lie outside of it."""
    at = jnp.broadcast_arrays(*(jnp.asarray(i, jnp.int32) for i in at))
    inside = jnp.all(jnp.stack([(i >= 0) & (i < n) for i, n in zip(at, x.shape)]), axis=0)
    return jnp.where(inside, x[tuple(jnp.clip(i, 0, n - 1) for i, n in zip(at, x.shape))], 0)

`;

/** The text of a module: sizes, the unsharded program, the plan, and a check of one by the other. */
export function fileText(parts: ProgramLines): string {
  const { mesh, ports, reference, device, results, needsElement } = parts;
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
TOLERANCE = ${toleranceOf(parts)}  # of the greatest value of the reference

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

function specOf({ dims }: Layout, mesh: MeshAtoms): string {
  const entries = dims.map((dim) =>
    dimCount(dim) === 1 ? "None" : axisNames(mesh.axesOf(dim.parts)),
  );
  return `P(${entries.join(", ")})`;
}
