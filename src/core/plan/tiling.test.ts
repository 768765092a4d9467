import { expect, test } from "vitest";
import { parseAnnotation } from "#core/dimops";
import type { AffineRow, Projection } from "#core/indexspace";
import { type Graph, type Operator, operatorId, type Tensor, tensorId } from "#core/ir";
import { testMesh, testRequests } from "./graph.testing.ts";
import { propagate } from "./propagate.ts";

/** A projection from rows such as `1 0 x3`: coefficients, then the extent. */
function rows(text: string): Projection {
  return text.split(" / ").map((row): AffineRow => {
    const [factors = "", extent = "1"] = row.split(" x");
    return { coefficients: factors.split(" ").map(Number), offset: 0, extent: Number(extent) };
  });
}

/** `y = op(x)` over the index axes `a` of 4 and `b` of 6, `b` marked as given. */
function graphOf(input: string, output: string, mark: "" | "+" | "^"): Graph {
  const annotation = parseAnnotation("a -> a");
  if (!annotation.ok) throw new Error("no annotation");
  const operand = (name: string, text: string) => ({
    tensor: tensorId(name),
    dims: rows(text).map(() => ({ identifiers: [] })),
    projection: rows(text),
  });
  const operator: Operator = {
    ...{ id: operatorId("y"), name: "y", op: "op", attributes: {}, call: "op(x)" },
    annotation: annotation.value,
    axes: [
      { name: "a", size: 4, reduction: "" },
      { name: "b", size: 6, reduction: mark },
    ],
    inputs: [operand("x", input)],
    outputs: [operand("y", output)],
    ...{ linear: [], reducesInside: false },
  };
  const tensorOf = (name: string, text: string): Tensor => ({
    ...{ id: tensorId(name), name, dtype: "f32", dtypeText: "f32", shapeStatus: "set" },
    shape: rows(text).map(({ coefficients: [a = 0, b = 0], extent }) => 3 * a + 5 * b + extent),
    role: name === "x" ? "input" : "activation",
    dimNames: rows(text).map((_, dim) => `d${dim}`),
    ...(name === "y" && { producer: operator.id }),
  });
  const tensors = [tensorOf("x", input), tensorOf("y", output)];
  return { tensors, operators: [operator], outputs: [tensorId("y")] };
}

/** The faults of cuts over meshes of 2 and 4, and the axes that are cut in the end. */
function verdict(graph: Graph, cuts: Readonly<Record<string, string>>) {
  const mesh = testMesh({ dp: 2, mp: 4 });
  const { plan, diagnostics } = propagate(graph, mesh, testRequests(mesh, { y: cuts }));
  const kept = [...plan.operators.values()].flatMap(({ strategy }) => Object.keys(strategy.cuts));
  return { said: diagnostics.map(({ message }) => message), kept };
}

test.each`
  output   | code
  ${"6 1"} | ${"plan/output-not-tiled"}
  ${"1 0"} | ${"plan/partial-output"}
`("cells that $output makes of the second axis are $code", ({ output, code }) => {
  const mesh = testMesh({ dp: 2, mp: 4 });
  const requests = testRequests(mesh, { y: { b: "dp" } });
  const { diagnostics } = propagate(graphOf("1 0 / 0 1", output, ""), mesh, requests);
  expect(diagnostics.map((each) => each.code)).toEqual([code]);
});

test.each`
  input             | output         | mark   | cuts                    | said                                                                          | kept
  ${"1 0 / 0 1"}    | ${"1 0 / 0 1"} | ${""}  | ${{ a: "dp", b: "mp" }} | ${undefined}                                                                  | ${["a", "b"]}
  ${"1 0 x3 / 0 1"} | ${"1 0 / 0 1"} | ${""}  | ${{ a: "mp" }}          | ${undefined}                                                                  | ${["a"]}
  ${"1 0 / 0 1"}    | ${"1 0 / 0 1"} | ${""}  | ${{ b: "mp" }}          | ${undefined}                                                                  | ${["b"]}
  ${"1 0 / 0 1"}    | ${"6 1"}       | ${""}  | ${{ a: "dp" }}          | ${undefined}                                                                  | ${["a"]}
  ${"1 0 / 0 1"}    | ${"6 1"}       | ${""}  | ${{ b: "dp" }}          | ${'would both make 18 cells of "d0" of "y"; these can be: "a"'}               | ${[]}
  ${"1 0 / 0 1"}    | ${"6 1"}       | ${""}  | ${{ a: "mp", b: "dp" }} | ${undefined}                                                                  | ${["a", "b"]}
  ${"1 0 / 0 1"}    | ${"1 0"}       | ${""}  | ${{ b: "dp" }}          | ${'"y" does not move with it, so that every piece would make the same cells'} | ${[]}
  ${"1 0 / 0 1"}    | ${"1 0"}       | ${"+"} | ${{ b: "dp" }}          | ${undefined}                                                                  | ${["b"]}
  ${"1 0 / 0 1"}    | ${"1 0 / 0 1"} | ${"^"} | ${{ b: "dp" }}          | ${'it carries "^" in the annotation'}                                         | ${[]}
  ${"1 0 / 0 1"}    | ${"2 0 / 0 1"} | ${""}  | ${{ a: "dp" }}          | ${'no piece would make 1 cell of "d0" of "y" between neighbours'}             | ${[]}
  ${"1 0 / 0 1"}    | ${"1 0 / 1 0"} | ${""}  | ${{ a: "dp" }}          | ${'moves "d0" and "d1" of "y" at once'}                                       | ${[]}
  ${"1 0 x6"}       | ${"1 0"}       | ${"+"} | ${{ b: "dp" }}          | ${"no operand moves with it"}                                                 | ${[]}
  ${"1 0 / 0 1"}    | ${"1 0 / 0 1"} | ${""}  | ${{ q: "dp" }}          | ${'has no identifier "q"'}                                                    | ${[]}
`(
  "[2.2] $input -> $output cut by $cuts says $said",
  ({ input, output, mark, cuts, said, kept }) => {
    const found = verdict(graphOf(input, output, mark), cuts);
    if (said === undefined) expect(found.said).toEqual([]);
    else expect(found.said.join()).toContain(said);
    expect(found.kept).toEqual(kept);
  },
);
