import { expect, test } from "vitest";
import { operatorsAnswer } from "./operators.ts";

test("operators lists the library with annotation, body, gradient and linear groups", () => {
  const { ok, operators } = operatorsAnswer({});
  expect(ok).toBe(true);
  expect(Array.isArray(operators) && operators.length).toBeGreaterThanOrEqual(70);
  expect(operators).toContainEqual({
    name: "matmul",
    aliases: ["mm", "bmm"],
    parameters: ["x", "y"],
    annotation: "a m k+, k+ n -> a m n",
    body: "sum[k] x · y",
    gradient: {
      x: "einsum(dout0, y, scale=1) as a m n+, k n+ -> a m k",
      y: "einsum(dout0, x, scale=1) as a+ m+ n, a+ m+ k -> k n",
    },
    linear: [[0], [1]],
  });
});
