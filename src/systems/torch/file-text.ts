import { product } from "#core/arithmetic";
import {
  correctionLines,
  heldText,
  indented,
  layoutText,
  type Port,
  type ProgramLines,
  settingParameters,
  severalHosts,
  stateText,
  toleranceOf,
} from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { torchName } from "./dialect.ts";
import { elementFunction, groupsClass, prologue } from "./prologue.ts";
import { stateFunctions } from "./state-functions.ts";
import { heldFunctions, unevenFunctions } from "./uneven-functions.ts";

/**
 * The text of the exported Python file: sizes, collectives on blocks, the unsharded program, the
 * program of one rank, and a check of one against the other.
 */
export function fileText(parts: ProgramLines): string {
  const { mesh, ports, reference, device, results, needsElement, state } = parts;
  const told = state === undefined ? "" : settingParameters(state);
  const corrections = state === undefined ? [] : correctionLines(state);
  const count = product(mesh.sizes);
  const axes = mesh.names.map((name, at) => `"${name}": ${mesh.sizes[at]}`).join(", ");
  const order = mesh.order ?? Array.from({ length: count }, (_, device) => device);
  const called = prologue.filter(({ name }) => device.some((line) => line.includes(`${name}(`)));
  const uneven = unevenFunctions.filter(({ name }) =>
    device.some((line) => line.includes(` ${name}(`)),
  );
  const isUneven = parts.held.size > 0;
  const helpers = [
    groupsClass,
    ...(isUneven ? [heldFunctions] : []),
    ...[...called, ...uneven].map(({ text }) => text),
  ];
  if (state !== undefined) helpers.push(...stateFunctions(state, "run(given, groups, step, lr)"));
  if (needsElement) helpers.push(elementFunction);
  return `${docstring(count)}
import math
import os
import re
import sys
import types

import torch
import torch.distributed as dist

MESH = {${axes}}
DEVICES = ${mesh.order === undefined ? `list(range(${count}))` : `[${order.join(", ")}]`}  # rank at each position of the mesh
INPUTS = {
${ports.inputs.map((port) => `    "${port.name}": (${tuple(port.shape)}, "${torchName(port.dtype)}", "${layoutText(port.layout, mesh)}"),\n`).join("")}}
OUTPUTS = {
${ports.outputs.map((port) => `    "${port.name}": "${layoutText(port.layout, mesh)}",\n`).join("")}}
TOLERANCE = ${toleranceOf(parts)}  # of the greatest value of the reference
${heldText(parts.held)}${state === undefined ? "" : stateText(state)}

${helpers.join("\n\n")}

def reference(${ports.inputs.map(({ name }) => name).join(", ")}${told}):
${indented([...corrections, ...reference], 1)}
    return ${resultsText(ports.outputs, results.reference)}


def run(given, groups${told}):
${indented(
  ports.inputs.map(({ name }) => `${name} = given["${name}"]`),
  1,
)}
${indented([...corrections, ...device], 1)}
    return ${resultsText(ports.outputs, results.plan)}


${isUneven ? unevenBlock : evenBlock}

${checkText}`;
}

function docstring(count: number): string {
  const { nodes, perNode } = severalHosts(count);
  return `"""A plan for ${count} devices, written as the program of one rank.

On one host: torchrun --standalone --nproc-per-node ${count} plan.py
On several:  sbatch launch.sh, or on each
             torchrun --nnodes ${nodes} --nproc-per-node ${perNode} --rdzv-backend c10d --rdzv-endpoint HOST:29500 plan.py
Run as a program, the file compares the plan with the unsharded program on random integers.
"""`;
}

function resultsText(outputs: readonly Port[], variables: readonly string[]): string {
  return `{${outputs.map(({ name }, at) => `"${name}": ${variables[at]}`).join(", ")}}`;
}

const evenBlock = `def block(x, name, layout, groups):
    """What this rank holds of a whole tensor."""
    for dim, text in enumerate(layout.split(",")):
        axes = [axis for axis in text.split("*") if axis not in ("", "_")]
        if axes:
            x = x.chunk(math.prod(MESH[axis] for axis in axes), dim)[groups.index(*axes)]
    return x
`;

const unevenBlock = evenBlock.replace(
  "    for dim, text",
  `    if name in HELD:
        return kept(x, [range(size) for size in x.shape], held(name, dist.get_rank()))
    for dim, text`,
);

const checkText = `def low(name):
    return 1 if name.endswith("_v") else -4  # a mean of squares is positive


def in_doubles():
    """This file with floats of 64 bits, in which what a deep net rounds is gone, and what is wrong is not."""
    text = re.sub(r"\\b(bfloat16|float16|float32)\\b", "float64", open(__file__).read())
    module = types.ModuleType("in_doubles")
    exec(compile(text, __file__, "exec"), module.__dict__)
    return module


def compared(module, groups):
    """By result, how far the plan is from the unsharded program on the worst rank, of the greatest value there."""
    torch.manual_seed(0)
    whole = {name: torch.randint(low(name), 5, shape).to(getattr(torch, dtype)) for name, (shape, dtype, _) in module.INPUTS.items()}
    got = module.run({name: block(x, name, INPUTS[name][2], groups) for name, x in whole.items()}, groups)
    found = {}
    for name, want in module.reference(**whole).items():
        mine = block(want, name, OUTPUTS[name], groups).double()
        far = (got[name].double() - mine).abs().max() if mine.numel() else torch.zeros((), dtype=torch.double)
        far = (far / want.double().abs().max().clamp(min=1) if want.numel() else far).nan_to_num(math.inf)
        dist.all_reduce(far, op=dist.ReduceOp.MAX)
        found[name] = far.item()
    return found


def verify():
    has_gpus = torch.cuda.is_available()
    if has_gpus:
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        torch.set_default_device("cuda")
    dist.init_process_group("nccl" if has_gpus else "gloo")
    groups, tolerance = make_groups(), TOLERANCE
    found = compared(sys.modules[__name__], groups)
    if tolerance and max(found.values()) > tolerance:  # it rounds, or it is wrong
        found, tolerance = compared(in_doubles(), groups), 1e-9
    for name, far in found.items():
        assert far <= tolerance, f"{name} is off by {far}"
    if dist.get_rank() == 0:
        print("the plan equals the unsharded program" + ("" if tolerance == TOLERANCE else ", with floats of 64 bits"))
    dist.destroy_process_group()


if __name__ == "__main__":
    verify()
`;
