import { expect, test } from "vitest";
import { compile } from "#compile";
import { printLayout } from "#core/mesh";
import { readDocument } from "#systems";

const head = "mesh = Mesh(x=2, y=4)\nt = Tensor((8, 8))\n";

/** Layout of `t` in the plan, and the codes of all diagnostics. */
function placed(line: string) {
  const { plan, diagnostics } = compile(`${head}${line}\nu = relu(t)\n`);
  const [layout] = [...plan.placements.values()].map((each) => printLayout(each.layout));
  return { layout, codes: diagnostics.map(({ code }) => code) };
}

test.each`
  line                                           | layout
  ${'place(t, layout("y:(1)2", "x"))'}           | ${"y:(1)2,x"}
  ${'place(t, layout("y:(1)2", "y:(2)2"))'}      | ${"y:(1)2,y:(2)2"}
  ${'place(t, layout(("y:(2)2", "x"), "None"))'} | ${"y:(2)2*x,_"}
  ${'place(t, layout("y", "x"))'}                | ${"y,x"}
`("$line lies as $layout", ({ line, layout }) => {
  expect(placed(line)).toEqual({ layout, codes: [] });
});

test.each`
  line                                      | code
  ${'place(t, layout("z:(1)2", "x"))'}      | ${"document/unknown-axis"}
  ${'place(t, layout("y:(1)3", "x"))'}      | ${"mesh/bad-sub-axis"}
  ${'place(t, layout("y:(1)2", "y"))'}      | ${"document/axis-used-twice"}
  ${'place(t, layout("y:(1)2", "y:(1)2"))'} | ${"document/axis-used-twice"}
  ${'place(t, layout("y:1", "x"))'}         | ${"mesh/"}
`("$line: $code", ({ line, code }) => {
  const [first] = placed(line).codes;
  expect(first).toMatch(code);
});

test("a strategy may cut by a sub-axis", () => {
  const { plan, diagnostics } = compile(`${head}u = relu(t)\nstrategy(u, {"a": "y:(1)2"})\n`);
  const said = diagnostics.filter(({ severity }) => severity === "error");
  const cuts = [...plan.operators.values()].map(({ strategy }) => strategy.cuts);
  expect([said, cuts]).toEqual([[], [{ a: [{ kind: "axis", axis: "y", before: 1, size: 2 }] }]]);
});

test("sizes that nobody gives are divisible by a sub-axis", () => {
  const { graph } = readDocument(
    'mesh = Mesh(y=12)\nt = Tensor()\nu = relu(t)\nplace(t, layout("y:(4)3", "None"))\n',
  );
  const shape = graph.tensors.find(({ name }) => name === "t")?.shape ?? [];
  expect((shape[0] ?? 1) % 3).toBe(0);
});
