import { expect, test } from "vitest";
import type { Operand } from "#core/ir";
import { candidateStrategies } from "./candidates.ts";
import { isSplittable, splittableAxes } from "./check.ts";
import { testGraph } from "./graph.testing.ts";

const annotations = ["m k+, k+ n -> m n", "a c, c (b 2) -> a (b 2)", "a^ b, b c -> a^ c"];

test.each(annotations)(
  "the axes that may be cut in %s are those that may be cut one by one",
  (annotation) => {
    const { operators } = testGraph({ x: [8, 8], w: [8, 8] }, [
      { result: "y", annotation, inputs: ["x", "w"] },
    ]);
    for (const operator of operators) {
      const names = operator.axes.map(({ name }) => name);
      expect(splittableAxes(operator)).toEqual(
        names.filter((name) => isSplittable(operator, name)),
      );
    }
  },
);

test("an operator of many operands has them read in passes, not once per axis", () => {
  const [operator] = testGraph({ x: [8, 8] }, [
    { result: "y", annotation: "a b -> a b", inputs: ["x"] },
  ]).operators;
  if (operator === undefined) throw new Error("no operator");
  let reads = 0;
  const inputs = Array.from({ length: 1_000 }, (_, at): Operand => {
    const dims = [{ identifiers: [`a${at}`] }];
    return {
      tensor: operator.inputs[0]?.tensor ?? operator.outputs[0]?.tensor ?? fail(),
      get dims() {
        reads += 1;
        return dims;
      },
    };
  });
  const axes = inputs.map((_, at) => ({ name: `a${at}`, size: 8, reduction: "^" as const }));
  candidateStrategies({ ...operator, axes, inputs }, []);
  expect(reads).toBeLessThan(4_000);
});

function fail(): never {
  throw new Error("no operand");
}
