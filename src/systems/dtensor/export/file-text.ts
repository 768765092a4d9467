import {
  bytesText,
  correctionLines,
  indented,
  type Port,
  type ProgramLines,
  settingParameters,
  severalHosts,
  stateText,
  toleranceOf,
} from "#systems/arrays";
import { pythonFunctions, tuple } from "#systems/arrays/python";
import { correctionFunctions, elementFunction, stateFunctions, torchName } from "#systems/torch";
import checkText from "./check.py?raw";
import functionsSource from "./functions.py?raw";
import type { Layer } from "./layers.ts";
import { layersText, onAxisFunction } from "./layers-text.ts";
import { placementsText, type RankMesh } from "./rank-mesh.ts";

const functions = pythonFunctions(functionsSource);

/** Parts of a file other than its lines of code. */
export interface FileParts {
  /** Bytes that each device receives in the plan's own collectives, and in DTensor's. */
  readonly planned: number;
  readonly sent: number;
  readonly layers: readonly Layer[];
  /** A sentence for the file's head. */
  readonly note?: string;
}

/**
 * Text of a Python module: mesh and placements, the unsharded program, the same program on
 * DTensors, and a check of one against the other.
 */
export function fileText(lines: ProgramLines, ranks: RankMesh, parts: FileParts): string {
  const { ports, reference, device, results, needsElement, state } = lines;
  const { axes } = ranks.mesh;
  const { layers } = parts;
  const held = new Set(layers.map(({ parameter }) => parameter));
  const inputs = ports.inputs.map(({ name }) => name).filter((name) => !held.has(name));
  const given = [...inputs, ...(layers.length > 0 ? ["layers"] : [])];
  const cutting = axes
    .map(({ name }) => name)
    .filter((name) => layers.some(({ axis }) => axis === name));
  const used = (name: string) => device.some((line) => line.includes(`${name}(`));
  const placed = ({ layout, name }: Port) => placementsText(ranks.placementsOf(layout, name));
  const helpers = used("position") ? [functions.get("position") ?? ""] : [];
  if (used("on_axis")) helpers.push(onAxisFunction);
  if (needsElement) helpers.push(elementFunction);
  const told = state === undefined ? "" : settingParameters(state);
  const corrections = state === undefined ? [] : correctionLines(state);
  // Parameters held by layers cannot be passed to a step as new values.
  const isGiven = state !== undefined && layers.length === 0;
  if (state !== undefined && !isGiven) helpers.push(...correctionFunctions(state));
  if (isGiven) helpers.push(...stateFunctions(state, "run(given, mesh, step, lr)"));
  return `${docstring(ranks, parts)}
import math
import os

import torch
import torch.distributed as dist
${layers.length > 0 ? "from torch import nn\n" : ""}from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import ${imported(lines, ranks, layers)}, distribute_tensor
${used("local_map") ? "from torch.distributed.tensor.experimental import local_map\n" : ""}${parallelImport(layers)}
MESH = {${axes.map(({ name, size }) => `"${name}": ${size}`).join(", ")}}
INPUTS = {
${ports.inputs.map((port) => `    "${port.name}": (${tuple(port.shape)}, "${torchName(port.dtype)}", ${placed(port)}),\n`).join("")}}
OUTPUTS = {
${ports.outputs.map((port) => `    "${port.name}": ${placed(port)},\n`).join("")}}
TOLERANCE = ${toleranceOf(lines)}  # of the greatest value of the reference
${isGiven ? stateText(state) : ""}

${helpers.map((text) => `${text}\n\n`).join("")}def reference(${ports.inputs.map(({ name }) => name).join(", ")}${told}):
${indented([...corrections, ...reference], 1)}
    return ${resultsText(ports.outputs, results.reference)}


${layers.length > 0 ? layersText(layers, cutting) : functions.get("place")?.trimEnd()}


def run(given, mesh${told}):
${indented(
  given.map((name) => `${name} = given["${name}"]`),
  1,
)}
${indented([...corrections, ...device], 1)}
    return ${resultsText(ports.outputs, results.plan)}


${checkText}`;
}

function imported(
  { ports, device }: ProgramLines,
  ranks: RankMesh,
  layers: readonly Layer[],
): string {
  const shown = [...ports.inputs, ...ports.outputs].map(({ layout, name }) =>
    placementsText(ranks.placementsOf(layout, name)),
  );
  const isOnAxis = device.some((line) => line.includes("on_axis("));
  const lines = [...shown, ...device, ...layers.map(({ style }) => style)];
  if (isOnAxis) lines.push("DTensor(");
  return ["DTensor", "Partial", "Replicate", "Shard"]
    .filter((name) => lines.some((line) => line.includes(`${name}(`)))
    .join(", ");
}

function parallelImport(layers: readonly Layer[]): string {
  const styles = ["ColwiseParallel", "RowwiseParallel", "SequenceParallel"].filter((name) =>
    layers.some(({ style }) => style.startsWith(name)),
  );
  if (styles.length === 0) return "";
  return `from torch.distributed.tensor.parallel import ${[...styles, "parallelize_module"].join(", ")}\n`;
}

function docstring({ mesh, order }: RankMesh, { planned, sent, note }: FileParts): string {
  const count = mesh.devices.length;
  const { nodes, perNode } = severalHosts(count);
  const visible = order === undefined ? "" : `CUDA_VISIBLE_DEVICES=${order.join(",")} `;
  const compared =
    planned === sent
      ? `Its collectives bring each device ${bytesText(sent)}, as the plan's own do.`
      : `Its collectives bring each device ${bytesText(sent)}; the plan's own bring ${bytesText(planned)}.`;
  return `"""A plan for ${count} devices on DTensor of PyTorch 2.13, which chooses the collectives between layouts.

${compared}${note === undefined ? "" : `\n${note}`}

On one host: ${visible}torchrun --standalone --nproc-per-node ${count} plan.py
On several:  sbatch launch.sh, or on each
             torchrun --nnodes ${nodes} --nproc-per-node ${perNode} --rdzv-backend c10d --rdzv-endpoint HOST:29500 plan.py
${order === undefined ? "" : `Ranks count along the mesh, which DTensor needs; rank by rank the devices of the plan are ${order.join(", ")}.\n`}Run as a program, the file compares the plan with the unsharded program on random integers.
"""`;
}

function resultsText(outputs: readonly Port[], variables: readonly string[]): string {
  return `{${outputs.map(({ name }, at) => `"${name}": ${variables[at]}`).join(", ")}}`;
}
