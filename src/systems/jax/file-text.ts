import { product } from "#core/arithmetic";
import {
  correctionLines,
  correctionsOf,
  type HeldBlocks,
  heldText,
  indented,
  layoutText,
  type MeshAtoms,
  type Port,
  type ProgramLines,
  type StepState,
  settingParameters,
  stateText,
  toleranceOf,
} from "#systems/arrays";
import { axisNames, numpyName, pythonFunctions, tuple } from "#systems/arrays/python";
import functionsSource from "./functions.py?raw";
import heldBlocks from "./held_blocks.py?raw";
import unevenBlocks from "./uneven_blocks.py?raw";

const functions = pythonFunctions(functionsSource);

/**
 * Python functions that redistribute unequal blocks. JAX arrays have one shape on all devices, so
 * blocks are padded to the longest block; so is what is sent, as the plan counts it. Each device
 * looks its positions up in tables built while the program is traced.
 */
const unevenFunctions = pythonFunctions(unevenBlocks);

/**
 * The text of a Python module: sizes, the unsharded program, the plan, and a check that compares
 * the two.
 */
export function fileText(parts: ProgramLines): string {
  const { mesh, state } = parts;
  return `${headText(product(mesh.sizes))}
${tablesText(parts)}${state === undefined ? "" : stateText(state)}
${helpersText(parts)}
${state === undefined ? "" : stateFunctions(state)}${programsText(parts)}


${functions.get("low")}

${functions.get("in_doubles")}

${comparedText(parts.held.size > 0)}


def verify():
    devices = np.array(jax.devices())[np.array(DEVICE_ORDER or range(${product(mesh.sizes)}))]
    mesh = Mesh(devices.reshape(MESH_SHAPE), AXIS_NAMES)
    found, tolerance = compared(sys.modules[__name__], mesh), TOLERANCE
    if tolerance and max(found.values()) > tolerance:  # it rounds, or it is wrong
        found, tolerance = compared(in_doubles(), mesh), 1e-9
    for name, far in found.items():
        assert far <= tolerance, f"{name} is off by {far}"
    print("the plan equals the unsharded program" + ("" if tolerance == TOLERANCE else ", with floats of 64 bits"))


${mainText}`;
}

/** The module's docstring on how to start it, and its imports. */
function headText(devices: number): string {
  return `"""A plan for ${devices} devices, written as one program per device.

On one host: python plan.py (without accelerators, XLA_FLAGS=--xla_force_host_platform_device_count=${devices} before it)
On several:  sbatch launch.sh, or COORDINATOR=HOST:1234 PROCESSES=2 PROCESS=0 python plan.py on each, counting PROCESS
Run as a program, the file compares the plan with the unsharded program on random integers.
"""
import os
import re
import sys
import types

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.multihost_utils import process_allgather
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
`;
}

/** The mesh, and the shapes, layouts and partition specs of the inputs and outputs. */
function tablesText(parts: ProgramLines): string {
  const { mesh, ports } = parts;
  const specs = (list: readonly Port[]) => tuple(list.map(({ blocks }) => specOf(blocks)));
  return `MESH_SHAPE, AXIS_NAMES = ${tuple(mesh.sizes)}, ${tuple(mesh.names.map((name) => `"${name}"`))}
DEVICE_ORDER = ${mesh.order === undefined ? "None" : `[${mesh.order.join(", ")}]`}  # position in the mesh -> device id
INPUTS = {
${ports.inputs.map((port) => `    ${inputLine(port, mesh)},\n`).join("")}}
OUTPUTS = {
${ports.outputs.map(({ name, layout }) => `    "${name}": "${layoutText(layout, mesh)}",\n`).join("")}}
IN_SPECS = ${specs(ports.inputs)}
OUT_SPECS = ${specs(ports.outputs)}
TOLERANCE = ${toleranceOf(parts)}  # of the greatest value of the reference
${heldText(parts.held)}`;
}

/** Helper functions that the device program calls, each once. */
function helpersText({ device, held, needsElement }: ProgramLines): string {
  const calls = [...unevenFunctions].filter(([name]) =>
    device.some((line) => new RegExp(`\\b(?<!lax\\.)${name}\\(`).test(line)),
  );
  const helpers = [
    ...(calls.length > 0 ? [heldBlocks] : []),
    ...calls.map(([, text]) => text),
    ...(held.size > 0 ? [unevenFunctions.get("arranged")] : []),
    ...(needsElement ? [functions.get("element")] : []),
  ];
  return helpers.map((text) => `\n${text}\n`).join("");
}

/** The functions `reference` (the unsharded program) and `plan` (the program of one device). */
function programsText({ ports, reference, device, results, state }: ProgramLines): string {
  const inputs = ports.inputs.map(({ name }) => name).join(", ");
  const told = state === undefined ? "" : settingParameters(state);
  const corrections = state === undefined ? [] : correctionLines(state);
  return `def reference(${inputs}${told}):
${indented([...corrections, ...reference], 1)}
    return ${tuple(results.reference)}


def plan(mesh):
    def device(${inputs}${state === undefined ? "" : ", step, lr"}):
${indented([...corrections, ...device], 2)}
        return ${tuple(results.plan)}

${state === undefined ? plainPlan : toldPlan(told)}`;
}

/**
 * The function that compares the plan with the unsharded program. In padded blocks only a device's
 * own elements count.
 */
function comparedText(isUneven: boolean): string {
  return `def compared(module, mesh):
    """By result, how far the plan is from the unsharded program on the worst device, of the greatest value there."""
    random = np.random.default_rng(0)
    whole = [random.integers(low(name), 5, shape).astype(jnp.dtype(dtype)) for name, (shape, dtype, _) in module.INPUTS.items()]
    given = [
        jax.make_array_from_callback(x.shape, NamedSharding(mesh, spec), x.__getitem__)
        for x, spec in zip(${isUneven ? "map(arranged, whole, INPUTS)" : "whole"}, IN_SPECS)
    ]
    found = {}
    for name, got, want in zip(OUTPUTS, jax.jit(module.plan(mesh))(*given), module.reference(*whole)):
        want = np.asarray(want, np.float64)
        greatest = max(1, np.abs(want).max(initial=0))
${isUneven ? "        want, own = arranged(want, name), arranged(np.ones(want.shape, bool), name)\n" : ""}        blocks = [np.asarray(block.data, np.float64) - want[block.index] for block in got.addressable_shards]
${isUneven ? "        blocks = [far[own[block.index]] for far, block in zip(blocks, got.addressable_shards)]\n" : ""}        far = np.max([np.abs(far).max(initial=0) for far in blocks]) / greatest
        found[name] = np.nan_to_num(np.max(process_allgather(far)), nan=np.inf)
    return found`;
}

/** The module's main part: starts JAX on one host or several, and verifies the plan. */
const mainText = `if __name__ == "__main__":
    if "COORDINATOR" in os.environ:
        processes, process = int(os.environ["PROCESSES"]), int(os.environ["PROCESS"])
        jax.distributed.initialize(os.environ["COORDINATOR"], processes, process)
    elif int(os.environ.get("SLURM_NTASKS", 1)) > 1:
        # One process has all devices of its host; by itself JAX would give it the first alone.
        jax.distributed.initialize(local_device_ids=range(int(os.environ["SLURM_GPUS_ON_NODE"])))
    verify()
`;

const plainPlan =
  "    return jax.shard_map(device, mesh=mesh, in_specs=IN_SPECS, out_specs=OUT_SPECS, check_vma=False)";

/**
 * A plan that takes the step number and the learning rate as arguments, so neither is compiled in.
 */
function toldPlan(told: string): string {
  return `    whole = (*IN_SPECS, P(), P())
    mapped = jax.shard_map(device, mesh=mesh, in_specs=whole, out_specs=OUT_SPECS, check_vma=False)

    def planned(*given${told}):
        return mapped(*given, jnp.asarray(step, jnp.float32), jnp.asarray(lr, jnp.float32))

    return planned`;
}

/**
 * Functions of a file with a training state: bias corrections of the optimizer, and the inputs of
 * the next step.
 */
function stateFunctions(state: StepState): string {
  const corrections = correctionsOf(state).map(
    ({ beta }) => `-jnp.expm1(step * ${Math.log(beta)})`,
  );
  const corrected = `def corrections(step):
    """How much of its means an optimizer has after so many steps, the first of which is 1: one less a power of step."""
    return ${corrections.join(", ")}


`;
  return `${corrections.length === 0 ? "" : corrected}${advancedText}`;
}

const advancedText = `def advanced(given, results):
    """What the next step is given, after plan(mesh)(*given.values(), step=step, lr=lr): a dict by name, as given is.

    It is a pytree: any checkpointer of JAX keeps {name: given[name] for name in STATE}, on one host also
    np.savez(path, **that) and given.update(np.load(path)). NAME_m and NAME_v are the means of the gradient and of its
    square; both start as zeros, and step counts from 1.
    """
    made = dict(zip(OUTPUTS, results))
    return {**given, **{name: made[new] for name, new in STATE.items()}}


`;

function inputLine({ name, shape, dtype, layout }: Port, mesh: MeshAtoms): string {
  return `"${name}": (${tuple(shape)}, "${numpyName(dtype)}", "${layoutText(layout, mesh)}")`;
}

function specOf({ dims }: HeldBlocks): string {
  const entries = dims.map(({ axes, blocks }) => (blocks.length === 1 ? "None" : axisNames(axes)));
  return `P(${entries.join(", ")})`;
}
