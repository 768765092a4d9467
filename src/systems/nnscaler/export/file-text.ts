import type { SpmdProgram } from "#core/program";
import { bytesText, forwardBytes, indented, severalHosts } from "#systems/arrays";
import { tuple } from "#systems/arrays/python";
import { torchName } from "#systems/torch";
import type { AdapterRules } from "../adapter-hop.ts";
import type { TextModel } from "../text-model.ts";
import type { Adapter, AdapterCollective, NnscalerClaims } from "./claims.ts";
import type { CutLevel } from "./levels.ts";
import type { Model, ModelCall, ModelTensor } from "./model.ts";
import { policyText, sharedLine, verifyText } from "./policy-text.ts";

/** Facts besides the model that the text of a file needs. */
interface FileNotes {
  readonly rules: AdapterRules;
  readonly program: SpmdProgram;
}

/**
 * The text of a file with the policy for a module defined elsewhere. Nodes are found by the path of
 * the module that calls them, their function, and the number of its earlier calls.
 */
export function policyFileText(
  model: Model,
  claims: NnscalerClaims,
  notes: FileNotes & { readonly text: TextModel },
): string {
  const { name, made } = notes.text;
  return `"""${docText(model, claims, notes)}"""
import inspect
${importLines("", notes.rules).join("\n")}

from model import ${name}  # adapt: where the class of the model stands

${planText(model)}
TOLERANCE = 1e-8  # of the greatest value of the unsharded model; more where it computes in narrow types by itself
${adapterLines(claims).join("\n")}

${mainText}

def make():
    """The model; its weights are those of the plan, and so is what its forward takes."""
    return ${made}  # adapt: as you make it


${policyText(model, true)}

def named(model, values):
    """What the forward takes by its own names: those of the plan where it has them, else in order."""
    names = list(inspect.signature(model.forward).parameters)
    return {name if name in names else names[at]: value for at, (name, value) in enumerate(values.items())}


${verifyText({ made: "make().double().eval()", given: "named(whole, NUMBERS)" })}`;
}

/** Comment lines that list nnScaler's adapters, in the order of the readers. */
function adapterLines({ adapters }: NnscalerClaims): readonly string[] {
  if (adapters.length === 0) return [];
  const lines = adapters.map((each) => {
    const why = each.at === undefined ? "it leaves whole" : `${each.at} reads it so`;
    return `# ${adapterText(each, why)}`;
  });
  return ["# What nnScaler sends, in the order of the readers:", ...lines];
}

/** The tables PLAN (cuts per operator) and INPUTS (arguments of forward). */
function planText(model: Model): string {
  const inputs = model.tensors.filter(({ role }) => role === "input");
  return `DEVICES = ${model.devices}
# (module, operator, occurrence): nested cuts (operand, dim, pieces), outermost first; copies without an operand.
PLAN = {
${indented(model.calls.flatMap(planLine), 1)}
}
${sharedLine(model)}INPUTS = {
${inputs.map(({ name, shape, dtype }) => `    "${name}": (${tuple(shape)}, torch.${torchName(dtype)}),\n`).join("")}}`;
}

const mainText = `if __name__ == "__main__":  # nnScaler registers no functions of __main__: the file runs as a module
    sys.path.insert(0, str(Path(__file__).parent))
    __import__(Path(__file__).stem).verify()
    raise SystemExit
`;

/** The text of a file with a model, its policy, and a check against the unsharded model. */
export function fileText(model: Model, claims: NnscalerClaims, notes: FileNotes): string {
  const { tensors, results, functions } = model;
  const inputs = tensors.filter(({ role }) => role === "input");
  const parameters = tensors.filter(({ role }) => role === "parameter");
  const definitions = functions.definitions();
  const code = [...definitions, ...model.calls.map(({ function: { call } }) => call)].join("\n");
  const outputs = results.map(({ name }) => name).join(", ");
  return `"""${docText(model, claims, notes)}"""
${importLines(code, notes.rules).join("\n")}

${planText(model)}
TOLERANCE = ${toleranceOf(code)}  # of the greatest value of the unsharded model

${mainText}

${definitions.join("\n\n")}${definitions.length > 0 ? "\n\n" : ""}class Model(torch.nn.Module):
    """The forward program."""

    def __init__(self):
        super().__init__()
${indented(parameters.map(parameterLine), 2) || "        pass"}

    def forward(self, ${inputs.map(({ name }) => name).join(", ")}):
${indented(forwardLines(model, claims), 2)}
        return ${outputs}


${policyText(model)}

${verifyText({ made: "Model().double()", given: "NUMBERS" })}`;
}

function docText(
  model: Model,
  claims: NnscalerClaims,
  { rules, program, text }: FileNotes & { readonly text?: TextModel },
): string {
  const { devices, differs } = model;
  const { nodes, perNode } = severalHosts(devices);
  const theirs = claims.adapters.reduce((sum, { bytes }) => sum + bytes, 0);
  const ours = forwardBytes(program);
  const compared =
    ours === theirs
      ? `Its adapters bring each device ${bytesText(theirs)} on the way forward, as the plan's own collectives do.`
      : `Its adapters bring each device ${bytesText(theirs)} on the way forward; the plan's own collectives bring ${bytesText(ours)}.`;
  const scatters =
    rules.avoidsReduceScatter === true
      ? [
          "Sums are added up whole and then cut: nnScaler 0.8 would put pieces that a reduce-scatter made together in a wrong order.",
        ]
      : [];
  const notes = [
    compared,
    ...scatters,
    ...differs.map((each) => `Not as the plan has it: ${each}.`),
  ];
  const what = text === undefined ? "a model with a policy" : `the policy of ${text.name}`;
  const taken =
    text === undefined ? "from plan import Model, parallel" : "from plan import make, parallel";
  return `A plan for ${devices} devices as ${what} for nnScaler 0.8: the forward program; nnScaler derives the backward one.

On one host: torchrun --standalone --nproc-per-node ${devices} plan.py
On several:  sbatch launch.sh, or on each of ${nodes}
             torchrun --nnodes ${nodes} --nproc-per-node ${perNode} --rdzv-backend c10d --rdzv-endpoint HOST:29500 plan.py
Run as a program, the file compares results and gradients with those of the unsharded model. A program
that trains takes it as: ${taken}
${notes.join("\n")}
`;
}

function importLines(code: string, { avoidsReduceScatter }: AdapterRules): readonly string[] {
  const uses = (name: string) => new RegExp(`\\b${name}\\.`).test(code);
  const flag = avoidsReduceScatter === true;
  return [
    ...(uses("math") ? ["import math"] : []),
    "import os",
    "import sys",
    "from collections import defaultdict",
    "from pathlib import Path",
    "",
    "import nnscaler",
    "import torch",
    ...(uses("F") ? ["import torch.nn.functional as F"] : []),
    "from nnscaler import ComputeConfig",
    ...(flag ? ["from nnscaler.flags import CompileFlag"] : []),
    "from nnscaler.graph.function.anchor import IRGraphAnchor",
    "from nnscaler.ir.operator import IRDataOperation, IRFwOperation",
    ...(flag ? ["", "CompileFlag.disable_reduce_scatter_adapter = True"] : []),
  ];
}

/**
 * Tolerance of the comparison with the unsharded model, relative to its greatest value: the check
 * computes in f64, except for operators that make narrower types.
 */
function toleranceOf(code: string): string {
  const narrow = Object.entries(narrowTolerances).find(([dtype]) =>
    code.includes(`torch.${dtype}`),
  );
  return narrow?.[1] ?? "1e-8";
}

/**
 * Tolerances for results in types narrower than f64, by PyTorch's type name: about 8 units in the
 * last place.
 */
const narrowTolerances: Readonly<Record<string, string>> = {
  bfloat16: "5e-2",
  float16: "1e-2",
  float32: "1e-4",
};

/** The row of PLAN for a call: `("", "matmul", 0): [(1, 1, 4)],  # h along n`. */
function planLine(call: ModelCall): readonly string[] {
  const { module, occurrence, levels, inputs, operator } = call;
  const { node } = call.function;
  if (levels.length === 0) return [];
  const cuts = levels.map(({ cut, count }) =>
    tuple([
      cut === undefined ? "None" : (inputs[cut.operand] ?? "None"),
      cut?.dim ?? "None",
      count,
    ]),
  );
  const along = levels.map(levelText).join(", ");
  const key = `("${module}", "${node}", ${occurrence})`;
  return [`${key}: [${cuts.join(", ")}],  # ${operator.name}: ${along}`];
}

function levelText({ cut, count }: CutLevel): string {
  return cut === undefined ? `${count} copies` : `${cut.axis} in ${count}`;
}

function parameterLine({ name, shape, dtype }: ModelTensor): string {
  const scale = (shape.at(-2) ?? 1) ** -0.5;
  const value = `torch.randn(${tuple(shape)}) * ${Number(scale.toPrecision(3))}`;
  const typed = dtype === "f32" ? value : `(${value}).to(torch.${torchName(dtype)})`;
  return `self.${name} = torch.nn.Parameter(${typed})`;
}

function forwardLines({ calls, results }: Model, { adapters }: NnscalerClaims): readonly string[] {
  const lines = calls.flatMap(
    ({ operands, results: made, function: { call, sizes }, operator }) => {
      const args = [
        ...operands.map(({ name, role }) => (role === "parameter" ? `self.${name}` : name)),
        ...Object.entries(sizes).map(([name, size]) => `${name}=${size}`),
      ];
      const before = adapters.filter(({ at }) => at !== undefined && at === made[0]?.name);
      return [
        ...before.map((adapter) => `# ${adapterText(adapter, `${operator.name} reads it so`)}`),
        `${made.map(({ name }) => name).join(", ")} = ${call}(${args.join(", ")})`,
      ];
    },
  );
  const left = adapters.filter(
    ({ at, tensor }) => at === undefined && results.some(({ name }) => name === tensor),
  );
  return [...lines, ...left.map((each) => `# ${adapterText(each, "it leaves whole")}`)];
}

/**
 * Describes an adapter: `h: all-gather along dim 1 among 0 1, 2 3, 1.02 kB; of its gradient chunk
 * …: y reads it so`.
 */
function adapterText({ tensor, bytes, forward, backward }: Adapter, why: string): string {
  const sides = [
    ...(forward.length > 0 ? [`${listed(forward)}, ${bytesText(bytes)}`] : []),
    ...(backward.length > 0 ? [`of its gradient ${listed(backward)}`] : []),
  ];
  return `${tensor}: ${sides.join("; ")}: ${why}`;
}

function listed(steps: readonly AdapterCollective[]): string {
  return steps.map(collectiveText).join(", ");
}

function collectiveText({ op, dims, groups }: AdapterCollective): string {
  const most = 4;
  const shown = groups.slice(0, most).map((group) => group.join(" "));
  const more = groups.length > most ? ", …" : "";
  const along = dims.length === 0 ? "" : ` along dim ${dims.join(" to ")}`;
  return `${op}${along} among ${shown.join(", ")}${more}`;
}
