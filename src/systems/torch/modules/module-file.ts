import type { TextModules } from "#systems/arrays";
import { torchName } from "../dialect.ts";
import type { Sharding } from "./sharding.ts";
import type { StyleEntry } from "./style-texts.ts";
import type { WrittenMesh } from "./written-mesh.ts";

/** All that a file says. */
export interface ModuleFile {
  readonly modules: TextModules;
  readonly on: WrittenMesh;
  readonly entries: readonly StyleEntry[];
  readonly sharding: Sharding;
  /** Modules whose weight is that of another one: a style would give each a weight of its own. */
  readonly ties: readonly (readonly [string, string])[];
  /** The lists of modules whose elements are sharded one by one. */
  readonly lists: readonly string[];
  /** A loop of training steps; empty where the text does not train. */
  readonly training: string;
  readonly notes: readonly string[];
  /** The loss of the text is a sum over its rows, not their mean. */
  readonly isSummed: boolean;
}

const parallelStyles = [
  ...["ColwiseParallel", "PrepareModuleInput", "RowwiseParallel", "SequenceParallel"],
];

/** The text of `parallelize.py`. */
export function fileText(file: ModuleFile): string {
  const body = [...styleLines(file), ...tieLines(file), ...shardLines(file), "return model"];
  return `${docstring(file)}
${imports(file)}

def parallelize(model, mesh):
${body.map((line) => `    ${line}\n`).join("")}${titan(file)}${file.training}`;
}

/** The mesh dims by torchtitan's names, whose meshes are those of its `ParallelDims`. */
function titan({ on: { mesh, tensor, cut, copied } }: ModuleFile): string {
  const size = (name: string) => mesh.axes.find((axis) => axis.name === name)?.size ?? 1;
  const both = cut !== undefined && copied !== undefined;
  const entries = [
    ...(tensor === undefined ? [] : [`"${tensor}": get("tp")`]),
    ...(both ? [`("${copied}", "${cut}"): get(["dp_replicate", shard])`] : []),
    ...(cut !== undefined && !both ? [`"${cut}": get(shard)`] : []),
    ...(copied !== undefined && !both ? [`"${copied}": get("dp_replicate")`] : []),
  ];
  const degrees = [
    ...(tensor === undefined ? [] : [`tensor_parallel_degree ${size(tensor)}`]),
    ...(cut === undefined ? [] : [`data_parallel_shard_degree ${size(cut)}`]),
    ...(copied === undefined ? [] : [`data_parallel_replicate_degree ${size(copied)}`]),
  ];
  // Since torchtitan 0.3 the name of the axis depends on the backend.
  const shard = `
    shard = "dp_shard" if getattr(parallel_dims, "spmd_backend", "") in ("spmd_types", "full_dtensor") else "fsdp"`;
  return `

def parallelize_fn(model, parallel_dims, *_, **__):  # as torchtitan calls it: ${degrees.join(", ")}
    get = parallel_dims.get_mesh${cut === undefined ? "" : shard}
    return parallelize(model, {${entries.join(", ")}})
`;
}

function tieLines({ ties }: ModuleFile): readonly string[] {
  const at = (path: string) => path.replace(/\.(\d+)(?=\.|$)/gu, "[$1]");
  return ties.map(([path, owner]) => `model.${at(path)}.weight = model.${at(owner)}.weight`);
}

function docstring({ modules, on, notes, isSummed }: ModuleFile): string {
  const { axes, devices } = on.mesh;
  const sizes = axes.map(({ size }) => size);
  const names = axes.map(({ name }) => `"${name}"`);
  const list = (items: readonly (string | number)[]) =>
    `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
  const isPlain = devices.every((device, rank) => Number(device) === rank);
  const order = isPlain ? "" : `\nRank by rank the devices of the plan are ${devices.join(", ")}.`;
  const fed =
    on.data.length === 0
      ? ""
      : `\nEach rank along ${on.data.join(", ")} is given its own rows of the batch; ${lossText(on, isSummed)}.`;
  return `"""Runs ${modules.root} on ${devices.length} devices:

    mesh = init_device_mesh("cuda", ${list(sizes)}, mesh_dim_names=${list(names)})
    parallelize(model, mesh)  # before the optimizer is made; its state dict keeps its names
${fed}${order}${notes.map((note) => `\n${note}`).join("")}
"""
`.replace(/\n\n"""/, '\n"""');
}

/** Gradients are averaged over the ranks that share the batch. */
function lossText({ mesh, data }: WrittenMesh, isSummed: boolean): string {
  if (!isSummed) return "the loss is a mean over them";
  const count = mesh.axes.reduce((n, { name, size }) => (data.includes(name) ? n * size : n), 1);
  return `gradients are averaged, so a loss that is their sum is multiplied by ${count} before backward()`;
}

function imports({ entries, sharding, on, training }: ModuleFile): string {
  const text = entries.map(({ style }) => style).join("\n");
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\(`).test(text));
  const { cut, copied } = on;
  const { policy } = sharding;
  const isShared = cut !== undefined || copied !== undefined;
  const placements = used(["Replicate", "Shard"]);
  const own = cut === undefined ? "replicate" : "fully_shard";
  const from =
    cut === undefined
      ? "torch.distributed._composable.replicate_with_fsdp"
      : "torch.distributed.fsdp";
  return [
    ...((policy !== undefined && isShared) || training !== "" ? ["import torch"] : []),
    ...(isShared && cut === undefined ? [`from ${from} import ${own}`] : []),
    ...(policy !== undefined && isShared && cut === undefined
      ? ["from torch.distributed.fsdp import MixedPrecisionPolicy"]
      : []),
    ...(cut !== undefined
      ? [`from ${from} import ${policy === undefined ? "" : "MixedPrecisionPolicy, "}${own}`]
      : []),
    ...(placements.length > 0
      ? [`from torch.distributed.tensor import ${placements.join(", ")}`]
      : []),
    ...(entries.length > 0
      ? [
          `from torch.distributed.tensor.parallel import ${[...used(parallelStyles), "parallelize_module"].join(", ")}`,
        ]
      : []),
    "",
  ].join("\n");
}

function styleLines({ entries, on }: ModuleFile): readonly string[] {
  if (entries.length === 0) return [];
  return [
    `parallelize_module(model, mesh["${on.tensor}"], {`,
    ...entries.map(({ pattern, style }) => `    "${pattern}": ${style},`),
    "})",
  ];
}

function shardLines({ sharding, on, lists }: ModuleFile): readonly string[] {
  const { cut, copied } = on;
  const { isGatheredAgain, policy } = sharding;
  if (cut === undefined && copied === undefined) return [];
  const axes = [copied, cut].flatMap((axis) => (axis === undefined ? [] : [`"${axis}"`]));
  const words = [
    `mesh=mesh[${axes.join(", ")}]`,
    ...(policy === undefined
      ? []
      : [
          `mp_policy=MixedPrecisionPolicy(param_dtype=torch.${torchName(policy.param)}, reduce_dtype=torch.${torchName(policy.reduce)})`,
        ]),
  ];
  const call = cut === undefined ? "replicate" : "fully_shard";
  const isKept = cut !== undefined && !isGatheredAgain;
  const isNamed = lists.length > 0 || words.length > 1;
  const given = isNamed ? "**data" : words.join(", ");
  const kept = isKept ? ", reshard_after_forward=False" : "";
  return [
    ...(isNamed ? [`data = dict(${words.join(", ")})`] : []),
    ...lists.flatMap((list) => [
      `for layer in model.${list}:`,
      `    ${call}(layer, ${given}${kept})`,
    ]),
    `${call}(model, ${given}${kept})`,
  ];
}
