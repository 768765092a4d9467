import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Attributes, type CallShapes, tensorId } from "#core/ir";
import { runReference } from "./index.ts";
import { entryNamed, gradientCalls, graphOf } from "./operator.testing.ts";

/** A loss on given operands, with its result and the gradients that PyTorch 2.13 gives. */
interface Truth {
  readonly name: string;
  readonly operands: readonly (readonly [readonly number[], readonly number[]] | null)[];
  readonly attributes: Attributes;
  readonly result: readonly number[];
  readonly gradients: Readonly<Record<string, readonly number[]>>;
}

function isTruth(value: unknown): value is Truth {
  return typeof value === "object" && value !== null && "operands" in value && "result" in value;
}

const truths: readonly unknown[] = JSON.parse(
  readFileSync("src/execute/reference/loss-truths.json", "utf8"),
);

const rows = truths.filter(isTruth).map((truth) => {
  const shapes = truth.operands.map((operand) => `(${operand?.[0] ?? ""})`);
  return [`${truth.name}${shapes} ${JSON.stringify(truth.attributes)}`, truth] as const;
});

function near(got: ArrayLike<number> | undefined, want: readonly number[]): void {
  expect(got).toHaveLength(want.length);
  for (const [at, value] of want.entries()) expect(got?.[at]).toBeCloseTo(value, 7);
}

test("every truth is one", () => expect(rows).toHaveLength(truths.length));

test.each(rows)("%s is PyTorch's, and so are its gradients", (_, truth) => {
  const entry = entryNamed(truth.name);
  const call: CallShapes = {
    inputs: truth.operands.map((operand) => operand?.[0]),
    attributes: truth.attributes,
  };
  const graph = graphOf(entry, call);
  const values = truth.operands.map((operand) => Float64Array.from(operand?.[1] ?? []));
  const inputs = new Map(values.map((each, at) => [tensorId(`x${at}`), each]));
  near(runReference(graph, inputs, "floats").tensors.get(tensorId("y0"))?.values, truth.result);
  const own = new Map(gradientCalls(entry, call).map((each) => [String(each.target), each]));
  for (const [target, want] of Object.entries(truth.gradients)) {
    const made = own.get(target);
    const given = Float64Array.from(truth.result, (_value, at) => 0.5 + at / 4);
    const read = made?.step.operands.map(({ from, index }) => {
      return from === "gradient" ? given : (values[index] ?? given);
    });
    if (made === undefined || read === undefined) throw new Error(`no gradient of ${target}`);
    const leaves = made.graph.tensors.filter(({ producer }) => producer === undefined);
    const numbers = new Map(leaves.map(({ id }, at) => [id, read[at] ?? given]));
    near(runReference(made.graph, numbers, "floats").tensors.get(tensorId("y0"))?.values, want);
  }
});
