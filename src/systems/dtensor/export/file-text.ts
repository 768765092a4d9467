import {
  bytesText,
  indented,
  type Port,
  type ProgramLines,
  severalHosts,
  toleranceOf,
  tuple,
} from "#systems/arrays";
import { elementFunction, torchName } from "#systems/torch";
import { placementsText, type RankMesh } from "./rank-mesh.ts";

/** What each device receives for the plan's own collectives, and for those of DTensor. */
export interface SentBytes {
  readonly planned: number;
  readonly sent: number;
}

/**
 * The text of a module: mesh and placements, the unsharded program, the same on DTensors, and a check
 * of one by the other.
 */
export function fileText(lines: ProgramLines, ranks: RankMesh, bytes: SentBytes): string {
  const { ports, reference, device, results, needsElement } = lines;
  const { axes } = ranks.mesh;
  const used = (name: string) => device.some((line) => line.includes(`${name}(`));
  const placed = ({ layout, name }: Port) => placementsText(ranks.placementsOf(layout, name));
  const helpers = [...(used("position") ? [positionFunction] : [])];
  if (needsElement) helpers.push(elementFunction);
  return `${docstring(ranks, bytes)}
import math
import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import ${imported(["Partial", "Replicate", "Shard"], lines, ranks)}, distribute_tensor
${used("local_map") ? "from torch.distributed.tensor.experimental import local_map\n" : ""}
MESH = {${axes.map(({ name, size }) => `"${name}": ${size}`).join(", ")}}
INPUTS = {
${ports.inputs.map((port) => `    "${port.name}": (${tuple(port.shape)}, "${torchName(port.dtype)}", ${placed(port)}),\n`).join("")}}
OUTPUTS = {
${ports.outputs.map((port) => `    "${port.name}": ${placed(port)},\n`).join("")}}
TOLERANCE = ${toleranceOf(lines)}  # of the greatest value of the reference


${helpers.map((text) => `${text}\n\n`).join("")}def reference(${ports.inputs.map(({ name }) => name).join(", ")}):
${indented(reference, 1)}
    return ${resultsText(ports.outputs, results.reference)}


def place(whole, mesh):
    """The inputs as DTensors, from whole tensors that every rank has."""
    return {
        name: distribute_tensor(x, mesh, INPUTS[name][2], src_data_rank=None)
        for name, x in whole.items()
    }


def run(given, mesh):
${indented(
  ports.inputs.map(({ name }) => `${name} = given["${name}"]`),
  1,
)}
${indented(device, 1)}
    return ${resultsText(ports.outputs, results.plan)}


${checkText}`;
}

function imported(
  names: readonly string[],
  { ports, device }: ProgramLines,
  ranks: RankMesh,
): string {
  const shown = [...ports.inputs, ...ports.outputs].map(({ layout, name }) =>
    placementsText(ranks.placementsOf(layout, name)),
  );
  return names
    .filter((name) => [...shown, ...device].some((line) => line.includes(`${name}(`)))
    .join(", ");
}

function docstring({ mesh, order }: RankMesh, { planned, sent }: SentBytes): string {
  const count = mesh.devices.length;
  const { nodes, perNode } = severalHosts(count);
  const visible = order === undefined ? "" : `CUDA_VISIBLE_DEVICES=${order.join(",")} `;
  const compared =
    planned === sent
      ? `Its collectives bring each device ${bytesText(sent)}, as the plan's own do.`
      : `Its collectives bring each device ${bytesText(sent)}; the plan's own bring ${bytesText(planned)}.`;
  return `"""A plan for ${count} devices on DTensor of PyTorch 2.13, which chooses the collectives between layouts.

${compared}

On one host: ${visible}torchrun --standalone --nproc-per-node ${count} plan.py
On several:  sbatch launch.sh, or on each
             torchrun --nnodes ${nodes} --nproc-per-node ${perNode} --rdzv-backend c10d --rdzv-endpoint HOST:29500 plan.py
${order === undefined ? "" : `Ranks count along the mesh, which DTensor needs; rank by rank the devices of the plan are ${order.join(", ")}.\n`}Run as a program, the file compares the plan with the unsharded program on random integers.
"""`;
}

function resultsText(outputs: readonly Port[], variables: readonly string[]): string {
  return `{${outputs.map(({ name }, at) => `"${name}": ${variables[at]}`).join(", ")}}`;
}

const positionFunction = `def position(mesh, *axes):
    """The position of this rank along some axes, the first outermost."""
    place = 0
    for axis in axes:
        place = place * MESH[axis] + mesh.get_local_rank(axis)
    return place
`;

const checkText = `def low(name):
    return 1 if name.endswith("_v") else -4  # a mean of squares is positive


def verify():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        torch.set_default_device("cuda")
    mesh = init_device_mesh(device, tuple(MESH.values()), mesh_dim_names=tuple(MESH))
    torch.manual_seed(0)
    whole = {
        name: torch.randint(low(name), 5, shape).to(getattr(torch, dtype))
        for name, (shape, dtype, _) in INPUTS.items()
    }
    got = run(place(whole, mesh), mesh)
    for name, want in reference(**whole).items():
        assert list(got[name].placements) == OUTPUTS[name], f"{name} lies as {got[name].placements}"
        mine = distribute_tensor(want, mesh, OUTPUTS[name], src_data_rank=None).to_local().double()
        far = (got[name].to_local().double() - mine).abs().max().item() if mine.numel() else 0
        assert far <= TOLERANCE * max(1, want.double().abs().max().item()), f"{name} is off by {far}"
    if dist.get_rank() == 0:
        print("the plan equals the unsharded program")
    dist.destroy_process_group()


if __name__ == "__main__":
    verify()
`;
