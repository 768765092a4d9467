import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile, exportGraph } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { checkLoom } from "../check-loom.ts";

const programs = examples.filter(({ fault, plan }) => fault === undefined && plan === undefined);

function errorsOf(text: string, dialect: "op" | "app"): readonly string[] {
  const { diagnostics } = checkLoom(text, { dialect });
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}

test.each(programs)(
  "$name is written as operations and as shards that Loom accepts",
  ({ program }) => {
    const compiled = compile(program);
    if (compiled.program.graph.operators.length > 40) return;
    for (const dialect of ["op", "app"] as const) {
      const { text } = exportGraph(compiled, { dialect });
      expect(errorsOf(text, dialect)).toEqual([]);
      expect(text).not.toMatch(/"projection" : \[ \[ ?\]/);
      expect(exportGraph(compile(text), { dialect }).text).toBe(text);
    }
  },
);

test.each(["two-matmuls", "three-cuts", "uneven-dim"])(
  "%s, written with its plan beside it, has the same operators, cuts and bytes",
  (name) => {
    const program = examples.find((example) => example.name === name)?.program ?? "";
    const compiled = compile(program);
    const { text, planText } = exportGraph(compiled, { dialect: "op" });
    const again = compile(text, { planText });
    expect(hasErrors(again.diagnostics)).toBe(false);
    expect(again.cost.bytes).toBe(compiled.cost.bytes);
    const cutsOf = ({ plan }: typeof compiled) =>
      [...plan.operators]
        .map(([id, { strategy }]) => `${id}: ${Object.keys(strategy.cuts).sort()}`)
        .sort();
    expect(cutsOf(again)).toEqual(cutsOf(compiled));
  },
);

test.each`
  annotation        | called           | why
  ${"m k+ -> m, m"} | ${"y, z = f(x)"} | ${'a split of "k" needs exactly one output to sum'}
  ${"m k+, m -> m"} | ${"y = f(x, b)"} | ${'input 1 lacks "k": every block would count it again'}
`("a sum of $annotation that has no two stages is one shard, and it is said why", (row) => {
  const compiled = compile(`import nnscaler
mesh = Mesh(mp=2)
x = Tensor((8, 16))
b = Tensor((8,))
@nnscaler.register_op(${JSON.stringify(row.annotation)})
def f(x, b=None):
    return x
${row.called}
strategy(y, k="mp")
`);
  const { diagnostics } = exportGraph(compiled, { dialect: "app" });
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["loom/not-sharded", expect.stringContaining(row.why)],
  ]);
});

const splitK = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
`;

test("[4.2] a summed axis that is cut is written as partial results and their sum", () => {
  const { text, diagnostics } = exportGraph(compile(splitK));
  expect(diagnostics).toEqual([]);
  expect(errorsOf(text, "app")).toEqual([]);
  const { imported } = compile(text);
  const shown = imported?.operations.map(({ operator, axes, shards }) => [
    operator,
    axes,
    shards.length,
  ]);
  expect(shown).toEqual([
    ["y", ["m", "k", "n"], 4],
    ["y_sum", ["m", "n"], 2],
  ]);
});

test("the bias of a linear layer is added once, behind the sum", () => {
  const source = `mesh = Mesh(mp=2)
x = Tensor((8, 16))
w = Parameter((32, 16))
b = Parameter((32,))
y = linear(x, w, b)
`;
  const cut = compile(`${source}strategy(y, k="mp")\n`);
  const { text, diagnostics } = exportGraph(cut);
  expect(errorsOf(text, "app")).toEqual([]);
  const names = compile(text).graph.operators.map(({ name }) => name);
  expect(names).toEqual(["product_1", "product_1_sum", "y"]);
  expect(diagnostics).toEqual([]);
});

test("a LoomGraph keeps its nodes and gets the shards of the plan beside it", () => {
  const { program = "", plan: planText = "" } =
    examples.find(({ name }) => name === "loom-convolution") ?? {};
  const compiled = compile(program, { planText });
  const { text } = exportGraph(compiled, { dialect: "app" });
  expect(errorsOf(text, "app")).toEqual([]);
  const { imported } = compile(text);
  expect(imported?.operations[0]?.shards.length).toBe(4);
  expect(exportGraph(compiled, { dialect: "op" })).toMatchObject({ text: program, planText });
});
