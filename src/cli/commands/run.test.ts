import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, exportGraph } from "#compile";
import { runAnswer } from "./run.ts";

const program = `
mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 8))
v = Parameter((8, 4))
h = gelu(matmul(x, w))
y = matmul(h, v)
strategy(y, m="dp", k="mp")
`;

test.each(["integers", "floats"])("a program equals its reference on %s", (values) => {
  const answer = runAnswer({ program, engine: "cpu", seed: 3, values });
  expect(answer).toMatchObject({ ok: true, equal: true });
  const names = Array.isArray(answer.tensors) ? answer.tensors.map(({ name }) => name) : [];
  expect(names).toEqual(["x", "w", "v", "matmul_1", "h", "y"]);
});

test.each([
  [{ values: "floats" }, "equal, each result rounded to bf16, as f64 computes it", ["bf16"]],
  [{ values: "floats", precision: "full" }, "equal", undefined],
  [{ values: "integers" }, "equal", undefined],
])("a run in bf16 with %j: %s", (options, verdict, rounded) => {
  const narrow = program.replace(/(\d\))\)/g, '$1, "bf16")');
  const answer = runAnswer({ program: narrow, seed: 3, ...options });
  expect(answer).toMatchObject({ ok: true, equal: true, verdict });
  expect(answer.rounded).toEqual(rounded);
});

test("a collective that is left out shows at the first element that is wrong", () => {
  const steps = [...Array(8).keys()];
  const answers = steps.map((step) =>
    runAnswer({ program, seed: 3, values: "integers", sabotage: { step, how: "drop" } }),
  );
  const wrong = answers.filter(({ ok, equal }) => ok && equal === false);
  expect(wrong.length).toBeGreaterThan(0);
  expect(wrong[0]?.first).toMatchObject({ device: expect.any(Number), index: expect.any(Array) });
});

test.each`
  args                                      | message
  ${{ engine: "gpu" }}                      | ${'"engine" must be "cpu"'}
  ${{ seed: 0.5 }}                          | ${'"seed" must be an integer'}
  ${{ values: "halves" }}                   | ${'"values" must be "floats" or "integers"'}
  ${{ precision: "half" }}                  | ${'"precision" must be "own" or "full"'}
  ${{ sabotage: 4 }}                        | ${'"sabotage" must be {"step": number, "how": "drop" or "swap" or "group" or "order" or "stale" or "scale"}'}
  ${{ sabotage: { step: 0, how: "drop" } }} | ${"step 0 is no collective of this program"}
`("a request with $args is refused: $message", ({ args, message }) => {
  const answer = runAnswer({ program, ...args });
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message]);
});

const written = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 8))
y = gelu(matmul(x, w))
z = softmax(y)
strategy(y, {"a": "dp"})
`;

const { cases } = JSON.parse(readFileSync("conformance/loom.json", "utf8"));

function loomCase(id: string): string {
  return cases.find((each: { readonly id: string }) => each.id === id).request.args.program;
}

test("a LoomGraph runs where the library has its kernels, and says where it has not", () => {
  const program = loomCase("matmul-rowsum-unsharded");
  const answer = runAnswer({ program, planText: "mesh = Mesh(mp=2)", values: "integers" });
  const said = answer.diagnostics.map(({ message }) => message).join();
  expect(answer.ok ? answer.equal : said).toEqual(expect.stringContaining("has no body here"));
  const graph = exportGraph(compile(written), { dialect: "op" });
  const known = runAnswer({ program: graph.text, planText: graph.planText, values: "integers" });
  expect(known).toMatchObject({ ok: true, equal: true });
});
