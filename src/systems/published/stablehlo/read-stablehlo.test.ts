import fc from "fast-check";
import { expect, test } from "vitest";
import { answerTo } from "#cli";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { fileOf } from "../published.testing.ts";
import { readStablehlo } from "./read-stablehlo.ts";
import {
  recordedNames,
  recordedNumbers,
  recordedProgram,
  recordedText,
  resultsOf,
} from "./recorded.testing.ts";

const programs = recordedNames.flatMap((name) => [
  { name, isNamed: true },
  { name, isNamed: false },
]);

test.each(programs)("$name (names: $isNamed) computes what JAX computed", ({ name, isNamed }) => {
  const { program, notes } = recordedProgram(name, isNamed);
  const wanted = recordedNumbers(name);
  const { results, assumed } = resultsOf(program, wanted.arguments);
  expect(notes).toEqual([]);
  expect(assumed.map((each) => each.name)).toEqual([]);
  expect(results.length).toBe(wanted.results.length);
  for (const [at, { values }] of results.entries()) {
    const own = wanted.results[at] ?? [];
    expect(values.length).toBe(own.length);
    for (const [index, value] of values.entries()) {
      const other = own[index] ?? Number.NaN;
      expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(other)));
    }
  }
});

test("a scan is a loop over the layers, and what it stacks is a list", () => {
  const { program } = recordedProgram("layers");
  expect(program).toContain("for i in range(3):\n    dynamic_slice = params_g[i]\n");
  expect(program).toContain("    parts.append(");
  expect(program).toContain('params_w = Parameter((3, 8, 8), "f32")');
});

test("shardings of arguments and constraints are places on the file's mesh", () => {
  const { program } = recordedProgram("sharded");
  expect(answerTo("plan", { program })).toMatchObject({
    mesh: [
      ["data", 2],
      ["model", 4],
    ],
    tensors: [
      { name: "params_w1", layout: "_,model" },
      { name: "params_w2", layout: "model,_" },
      { name: "x", layout: "data,_" },
      {},
      { name: "max_2", placed: "data,model" },
      {},
    ],
  });
});

test("without names the text says how to get them, and arguments are inputs", () => {
  const { program } = recordedProgram("mlp", false);
  expect(program).toContain("as_text(debug_info=True)");
  expect(program).not.toContain("Parameter(");
});

test("operations that nothing stands for are counted by name, with the file's shapes and no cut", () => {
  const { program, notes } = recordedProgram("unheard");
  expect(notes).toMatchObject([
    {
      code: "published/unknown-operator",
      message:
        "operators that nothing here stands for, which are not cut: chlo.erf_inv (2), stablehlo.sort (2), stablehlo.while (1)",
    },
  ]);
  const { graph, diagnostics } = compile(program);
  expect(hasErrors(diagnostics)).toBe(false);
  const unknown = graph.operators.filter(({ entry }) => entry === undefined);
  expect(unknown.length).toBe(5);
  const axes = unknown.flatMap((each) => each.axes);
  expect(axes.filter(({ reduction }) => reduction !== "^")).toEqual([]);
});

test.each`
  what                       | text                                                               | why
  ${"nothing"}               | ${"module @m {\n}\n"}                                              | ${"it has no function"}
  ${"a region without end"}  | ${"func.func @main() {\n"}                                         | ${"a region that does not end"}
  ${"regions without depth"} | ${`func.func @main() {\n${'"a.b"() ({\n'.repeat(100)}`}            | ${"regions that lie too deep"}
  ${"a call of itself"}      | ${"func.func @main() {\n  call @main() : () -> ()\n  return\n}\n"} | ${"calls lie too deep"}
`("$what is refused", ({ text, why }) => {
  const made = readStablehlo(fileOf("m.mlir", text));
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

test("calls that double each other end in a refusal, and not in a text without end", () => {
  const doubling = Array.from(
    { length: 40 },
    (_, at) =>
      `func.func @f${at}(%a: tensor<f32>) -> tensor<f32> {\n%0 = call @f${at + 1}(%a) : (tensor<f32>) -> tensor<f32>\n%1 = call @f${at + 1}(%0) : (tensor<f32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}`,
  );
  const last = "func.func @f40(%a: tensor<f32>) -> tensor<f32> {\nreturn %a : tensor<f32>\n}";
  const main =
    "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n%0 = call @f0(%a) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}";
  const made = readStablehlo(fileOf("m.mlir", [main, ...doubling, last].join("\n")));
  expect(made.diagnostics[0]?.message).toContain("more than 200,000 operations");
});

test("a module that is longer than any model's is refused unread", () => {
  const file = { ...fileOf("m.mlir", ""), size: 2 ** 31 };
  const decode = () => {
    throw new Error("read");
  };
  expect(readStablehlo({ ...file, decode }).ok).toBe(false);
});

test("a damaged module is read or refused, whatever is missing", () => {
  const whole = recordedNames.map((name) => recordedText(name, true).split("\n"));
  const property = fc.property(
    fc.nat(whole.length - 1),
    fc.nat(),
    fc.nat(5),
    (which, from, count) => {
      const lines = whole[which] ?? [];
      const at = from % lines.length;
      const made = readStablehlo(fileOf("m.mlir", lines.toSpliced(at, count + 1).join("\n")));
      expect(made.ok || made.diagnostics[0]?.code === "published/refused").toBe(true);
    },
  );
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 5000 : 300 });
});
