import type { SpmdProgram } from "#core/program";
import { bytesText, indented, severalHosts, tuple } from "#systems/arrays";
import { torchName } from "#systems/torch";
import type { AdapterRules } from "../adapter-hop.ts";
import type { Adapter, AdapterCollective, NnscalerClaims } from "./claims.ts";
import type { CutLevel } from "./levels.ts";
import type { Model, ModelCall, ModelTensor } from "./model.ts";

/** What the text of a file says beside the model. */
interface FileNotes {
  readonly rules: AdapterRules;
  readonly program: SpmdProgram;
}

/** The text of a file with a model, its policy, and a check of both by the unsharded model. */
export function fileText(model: Model, claims: NnscalerClaims, notes: FileNotes): string {
  const { tensors, results, functions } = model;
  const inputs = tensors.filter(({ role }) => role === "input");
  const parameters = tensors.filter(({ role }) => role === "parameter");
  const definitions = functions.definitions();
  const code = [...definitions, ...model.calls.map(({ function: { call } }) => call)].join("\n");
  const outputs = results.map(({ name }) => name).join(", ");
  return `"""${docText(model, claims, notes)}"""
${importLines(code, notes.rules).join("\n")}

DEVICES = ${model.devices}
# (module, operator, occurrence): nested cuts (operand, dim, pieces), outermost first; copies without an operand.
PLAN = {
${indented(model.calls.flatMap(planLine), 1)}
}
${sharedLine(model)}INPUTS = {
${inputs.map(({ name, shape, dtype }) => `    "${name}": (${tuple(shape)}, torch.${torchName(dtype)}),\n`).join("")}}
TOLERANCE = ${toleranceOf(code)}  # of the greatest value of the unsharded model

if __name__ == "__main__":  # nnScaler registers no functions of __main__: the file runs as a module
    sys.path.insert(0, str(Path(__file__).parent))
    __import__(Path(__file__).stem).verify()
    raise SystemExit


${definitions.join("\n\n")}${definitions.length > 0 ? "\n\n" : ""}class Model(torch.nn.Module):
    """The forward program."""

    def __init__(self):
        super().__init__()
${indented(parameters.map(parameterLine), 2) || "        pass"}

    def forward(self, ${inputs.map(({ name }) => name).join(", ")}):
${indented(forwardLines(model, claims), 2)}
        return ${outputs}


${policyText(model)}

${verifyText}`;
}

function docText(model: Model, claims: NnscalerClaims, { rules, program }: FileNotes): string {
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
  return `A plan for ${devices} devices as a model with a policy of nnScaler 0.8: the forward program; nnScaler derives the backward one.

On one host: torchrun --standalone --nproc-per-node ${devices} plan.py
On several:  sbatch launch.sh, or on each of ${nodes}
             torchrun --nnodes ${nodes} --nproc-per-node ${perNode} --rdzv-backend c10d --rdzv-endpoint HOST:29500 plan.py
Run as a program, the file compares results and gradients with those of the unsharded model. A program
that trains takes it as: from plan import Model, parallel
${notes.join("\n")}
`;
}

/** What the busiest device receives for the plan's own collectives of the forward part. */
function forwardBytes({ stages }: SpmdProgram): number {
  const bytesIn = (step: SpmdProgram["stages"][number]["steps"][number]): number => {
    if (step.kind === "repeat")
      return step.count * step.body.reduce((sum, each) => sum + bytesIn(each), 0);
    return step.kind === "collective" && step.phase === "forward" ? step.bytes : 0;
  };
  return stages.flatMap(({ steps }) => steps).reduce((sum, step) => sum + bytesIn(step), 0);
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
 * How far a plan may be from the unsharded model, as a share of its greatest value: the check
 * computes in f64, but for what an operator makes narrower by itself.
 */
function toleranceOf(code: string): string {
  const narrow = Object.entries(narrowTolerances).find(([dtype]) =>
    code.includes(`torch.${dtype}`),
  );
  return narrow?.[1] ?? "1e-8";
}

/** Of results with a type narrower than f64, by PyTorch's name of it: about its last place times 8. */
const narrowTolerances: Readonly<Record<string, string>> = {
  bfloat16: "5e-2",
  float16: "1e-2",
  float32: "1e-4",
};

/** `("", "matmul", 0): [(1, 1, 4)],  # h along n`. */
function planLine({
  function: { node },
  occurrence,
  levels,
  operator,
}: ModelCall): readonly string[] {
  if (levels.length === 0) return [];
  const cuts = levels.map(({ cut, count }) =>
    tuple([cut?.operand ?? "None", cut?.dim ?? "None", count]),
  );
  const along = levels.map(levelText).join(", ");
  return [`("", "${node}", ${occurrence}): [${cuts.join(", ")}],  # ${operator.name}: ${along}`];
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

/** `h, 1.02 kB: all-gather along dim 1 among 0 1, 2 3; its gradient: chunk along dim 1 (…)`. */
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

/** Weights that have adapters. */
function sharedLine({ tensors, shared }: Model): string {
  const names = tensors.filter(({ id }) => shared.has(id)).map(({ name }) => `"${name}"`);
  if (names.length === 0) return "";
  return `SHARED = {${names.join(", ")}}  # weights beside which an operator is both cut and replicated\n`;
}

const policyText = ({ shared }: Model) => `def policy(graph, cfg):
    """Splits every operator as PLAN says, and has device after device run the pieces in order."""
    assert cfg.plan_ngpus == DEVICES
    for tensor in graph.full_tensors():
        if not (tensor.is_grad() or tensor.is_attr()) and len(graph.consumers(tensor)) > 1:
            graph.multiref(tensor)  # every reader gets an adapter of its own
${
  shared.size === 0
    ? ""
    : `        if tensor.name in SHARED and not tensor.is_grad():
            graph.multiref(tensor)  # an adapter adds up its gradient: a reducer would count copies
`
}    seen, left = defaultdict(int), set(PLAN)
    for node in graph.select(ntype=(IRFwOperation, IRDataOperation)):
        if node.name == "multiref" or isinstance(node, IRGraphAnchor):
            continue
        module = list(node.module_stack)[-1] if getattr(node, "module_stack", None) else ""
        key = module, node.name, seen[module, node.name]
        seen[module, node.name] += 1
        left.discard(key)
        pieces = [node]
        for operand, dim, count in PLAN.get(key, [(None, None, DEVICES)]):
            pieces = [piece for whole in pieces for piece in split(graph, whole, operand, dim, count)]
        for device, piece in enumerate(pieces):
            graph.assign(piece, device)
    if left:
        raise RuntimeError(f"not found in the graph: {sorted(left)}")
    return graph


def split(graph, node, operand, dim, count):
    if operand is None:
        return graph.replicate(node, times=count)
    return graph.partition(node, node.algorithm("dim"), idx=operand, dim=dim, num=count)


def parallel(model, given, folder=".nnscaler"):
    """The model on all ranks; given: what its forward takes, by name."""
    trace = "cuda_run_cpu_offload" if torch.cuda.is_available() else "cpu"
    config = ComputeConfig(DEVICES, int(os.environ.get("WORLD_SIZE", DEVICES)), trace_strategy=trace)
    return nnscaler.parallelize(model, given, policy, config, gen_savedir=folder, reuse="override")
`;

const verifyText = `def verify():
    nnscaler.init()
    torch.manual_seed(0)
    whole = Model().double()  # rounding of narrower types would hide what is wrong
    given = {name: number(shape, dtype) for name, (shape, dtype) in INPUTS.items()}
    planned = parallel(whole, given)
    whole, given = whole.cuda(), {name: x.cuda() for name, x in given.items()}
    want, got = results(whole(**given)), results(planned(**given))
    for place, (x, y) in enumerate(zip(want, got)):
        compare(f"result {place}", x, y)
    for outputs in (want, got):
        trained = [x for x in outputs if x.requires_grad]
        if trained:
            sum(x.square().sum() for x in trained).backward()
    planned.sync_grad()
    weights = [(planned.fullmap[name], weight) for name, weight in planned.named_parameters() if weight.grad is not None]
    for piece, weight in weights:
        compare(f"gradient of {piece.orig_name}", whole.get_parameter(piece.orig_name).grad[piece.slicers], weight.grad)
    if torch.distributed.get_rank() == 0:
        print(f"the plan equals the unsharded model in {len(want)} results and {len(weights)} gradients")


def number(shape, dtype):
    """What is given, in f64 where it is a number."""
    if dtype.is_floating_point:
        return torch.randint(-4, 5, shape).double()
    return torch.randint(0, 5, shape).to(dtype)


def results(given):
    return given if isinstance(given, tuple) else (given,)


def compare(name, want, got):
    far = (want.double() - got.double()).abs().max().item() if want.numel() else 0
    assert far <= TOLERANCE * max(1, want.double().abs().max().item()), f"{name} is off by {far}"
`;
