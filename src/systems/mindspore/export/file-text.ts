import type { Json } from "#core/dimops";
import type { DType } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { bytesText, forwardBytes, indented, severalHosts } from "#systems/arrays";
import { axisNames, tuple } from "#systems/arrays/python";
import type { Cell, CellCall, CellTensor } from "./cell.ts";
import { claimLines } from "./claim-lines.ts";
import type { CellCollective, MindsporeClaims } from "./claims.ts";
import verifyText from "./verify.py?raw";

/** MindSpore's names of element types. */
const dtypes: Readonly<Record<DType, string>> = {
  ...{ f64: "float64", f32: "float32", f16: "float16", bf16: "bfloat16" },
  ...{ f8e4m3: "float8_e4m3fn", f8e5m2: "float8_e5m2", i4: "qint4x2", u4: "uint4" },
  ...{
    u64: "uint64",
    u32: "uint32",
    u16: "uint16",
    i64: "int64",
    i32: "int32",
    i16: "int16",
    i8: "int8",
    u8: "uint8",
    bool: "bool_",
  },
};

/** Maximum columns of a line after its indent. */
const mostColumns = 92;

/** Primitives that `mindspore.ops` does not export. */
const generated: ReadonlySet<string> = new Set(["MatMulExt", "SiLU"]);

/** The text of a file that defines a cell and runs it on every rank on which it is started. */
export function fileText(cell: Cell, claims: MindsporeClaims, program: SpmdProgram): string {
  const { mesh, calls, tensors, results } = cell;
  const inputs = tensors.filter(({ role }) => role === "input");
  const parameters = tensors.filter(({ role }) => role === "parameter");
  const fed = inputs.map(({ name }) => name);
  const usesLayouts = calls.some(({ strategy }) => strategy.kind === "layouts");
  return `"""${docText(cell, claims, program)}"""
${importLines(cell, usesLayouts).join("\n")}

${usesLayouts ? `layout = Layout(${tuple(mesh.sizes)}, ${tuple(mesh.names.map((name) => `"${name}"`))})\n\n` : ""}
class Plan(nn.Cell):
    """The forward program; every strategy is that of the plan."""

    def __init__(self):
        super().__init__()
${indented([...parameters.map(parameterLine), ...calls.flatMap(primitiveLines)], 2)}

    def construct(self, ${fed.join(", ")}):
${indented(constructLines(cell, claims), 2)}
        return ${results.map(({ name }) => name).join(", ")}


INPUTS = {
${inputs.map((each) => `    "${each.name}": (${tuple(each.shape)}, ms.${dtypes[each.dtype]}),\n`).join("")}}

${claimLines(cell, claims).join("\n")}


def run():
    """Prints what the net gives for random integers."""
    ms.set_context(mode=ms.GRAPH_MODE)
    init()
    random = np.random.default_rng(0)
    given = [ms.Tensor(random.integers(0, 5, shape), dtype) for shape, dtype in INPUTS.values()]
    net = AutoParallel(Plan(), parallel_mode="semi_auto")
    net.dataset_strategy("full_batch")
    print(net(*given))


${verifyText}

if __name__ == "__main__":
    verify() if "--verify" in sys.argv else run()
`;
}

function docText(cell: Cell, claims: MindsporeClaims, program: SpmdProgram): string {
  const { devices, mesh, differs, tensors } = cell;
  const { nodes, perNode } = severalHosts(devices);
  const order =
    mesh.order === undefined ? "" : `ASCEND_RT_VISIBLE_DEVICES=${mesh.order.join(",")} `;
  const ours = forwardBytes(program);
  const theirs = claims.collectives.reduce((sum, { bytes }) => sum + bytes, 0);
  const compared =
    ours === theirs
      ? `Its collectives bring each device ${bytesText(theirs)}, as the plan's own do.`
      : `Its collectives bring each device ${bytesText(theirs)}; the plan's own bring ${bytesText(ours)}.`;
  const isBrain = tensors.some(({ dtype }) => dtype === "bf16");
  const needed = isBrain
    ? ["Its bfloat16 needs NumPy 1.26: MindSpore 2.10 has none beside NumPy 2."]
    : [];
  const notes = [compared, ...needed, ...differs.map((each) => `Not as the plan has it: ${each}.`)];
  return `A plan for ${devices} devices as a cell of MindSpore 2.10: the forward program.

On one host: ${order}msrun --worker_num=${devices} --local_worker_num=${devices} --join=True plan.py
On several:  sbatch launch.sh, or msrun --worker_num=${devices} --local_worker_num=${perNode} --master_addr=HOST --node_rank=N plan.py on each of ${nodes}
             It prints what the net gives for random integers, and compares no numbers.
Without any: python plan.py --verify
             compares strategies, collectives and parameters with what MindSpore's compiler makes of them.
${notes.join("\n")}
`;
}

function importLines({ calls, tensors }: Cell, usesLayouts: boolean): readonly string[] {
  const ops = [...new Set(calls.map(({ primitive }) => primitive.op))].sort();
  const own = ops.filter((op) => generated.has(op));
  const hasParameters = tensors.some(({ role }) => role === "parameter");
  return [
    ..."ctypes json math os re struct sys tempfile".split(" ").map((name) => `import ${name}`),
    "from pathlib import Path",
    "",
    "import mindspore as ms",
    "import numpy as np",
    `from mindspore import ${hasParameters ? "Parameter, " : ""}nn, ops`,
    ...(hasParameters ? ["from mindspore.common.initializer import initializer"] : []),
    "from mindspore.communication import init",
    ...(own.length > 0 ? [`from mindspore.ops.auto_generate import ${own.join(", ")}`] : []),
    ...(usesLayouts ? ["from mindspore.parallel import Layout"] : []),
    "from mindspore.parallel.auto_parallel import AutoParallel",
  ];
}

function parameterLine({ name, shape, dtype, filled }: CellTensor): string {
  const value = `initializer("${filled ?? "normal"}", ${tuple(shape)}, ms.${dtypes[dtype]})`;
  const fixed = filled === undefined ? "" : ", requires_grad=False";
  return `self.${name} = Parameter(${value}, name="${name}"${fixed})`;
}

/**
 * Lines that construct a primitive: `self.h = ops.MatMul().shard((layout("dp", "None"),
 * layout("None", "mp")))`.
 */
function primitiveLines({ primitive, strategy, result }: CellCall): readonly string[] {
  const given = Object.entries(primitive.arguments).map(
    ([name, value]) => `${name}=${python(value)}`,
  );
  const { op } = primitive;
  const made = `${generated.has(op) ? op : `ops.${op}`}(${given.join(", ")})`;
  if (strategy.kind === "tuples")
    return wrapped(`self.${result.name} = ${made}.shard(`, tuple(strategy.inputs.map(tuple)));
  const inputs = tuple(strategy.inputs.map(layoutText));
  const { output, isSelfDefined } = strategy;
  const defined = isSelfDefined ? `.add_prim_attr("self_define_shard", True)` : "";
  const out = output === undefined ? "" : `, ${tuple([layoutText(output)])}`;
  return wrapped(`self.${result.name} = ${made}${defined}.shard(`, `${inputs}${out}`);
}

/** A call on one line if it fits, else with its arguments on a line of their own. */
function wrapped(start: string, args: string): readonly string[] {
  const line = `${start}${args})`;
  return line.length <= mostColumns ? [line] : [start, `    ${args}`, ")"];
}

function layoutText(dims: readonly (readonly string[])[]): string {
  return `layout(${dims.map((axes) => (axes.length === 0 ? '"None"' : axisNames(axes))).join(", ")})`;
}

function constructLines({ calls }: Cell, { collectives }: MindsporeClaims): readonly string[] {
  return calls.flatMap(({ primitive, operands, result, operator }) => {
    const of = collectives.filter(({ at }) => at === result.name);
    const args = [
      ...operands.map(({ name, role }) => (role === "parameter" ? `self.${name}` : name)),
      ...primitive.trailing.map(([, value]) => python(value)),
    ];
    const call = `self.${result.name}(${args.join(", ")})`;
    const others = Array.from({ length: primitive.results - 1 }, () => "_");
    return [
      ...of.map((each) => `# ${commentText(each, operator.name)}`),
      `${[result.name, ...others].join(", ")} = ${call}`,
    ];
  });
}

/** Comment on a collective: `AllGather of h, 96 B among 0 1, 2 3: y reads it so`. */
function commentText({ op, tensor, why, bytes, groups }: CellCollective, reader: string): string {
  const reason = why === "forward" ? "adds up its partial sums" : `${reader} reads it so`;
  const most = 4;
  const shown = groups.slice(0, most).map((group) => group.join(" "));
  const more = groups.length > most ? ", …" : "";
  return `${op} of ${tensor}, ${bytesText(bytes)} among ${shown.join(", ")}${more}: ${reason}`;
}

/** A JSON value as Python text. */
function python(value: Json): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return tuple(value.map(python));
  return String(value);
}
