import { expect, test } from "vitest";
import { plannedCosts, planQuestion } from "#edit";
import { readDocument } from "#systems";
import { optimize } from "./optimize.ts";
import type { Optimized } from "./optimized.ts";

/** Six layers whose weights are worth copying over slow links between nodes, if there is room. */
const document = readDocument(`mesh = Mesh(dp=4, tp=2, hardware="4x8xH100")
def w(*shape):
    return Parameter(shape, "bf16")
x = Tensor((16, 256, 1024), "bf16")
for _ in range(6):
    x = add(x, matmul(gelu(matmul(x, w(1024, 4096))), w(4096, 1024)))
train(x, optimizer="adam", overlap="none")
`);

function planned(memoryLimit?: number, isAnyEnough = false) {
  const { training, ...question } = planQuestion(document, { freesPlaces: true });
  const request = { ...question, ends: new Map(), endsInSums: true, ...(training && { training }) };
  const measure = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts });
  const limit = memoryLimit === undefined ? {} : { memoryLimit };
  return optimize({ ...request, ...limit }, { measure, isAnyEnough });
}

function sure(outcome: ReturnType<typeof planned>): Optimized {
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  return outcome.value;
}

test("where the limit binds, the bound is above the fastest plan, and the plan is near it", () => {
  const free = sure(planned());
  const tight = sure(planned(0.85 * free.bytes));
  expect(tight.bytes).toBeLessThanOrEqual(0.85 * free.bytes);
  expect(tight.bound).toBeGreaterThan(free.seconds * (1 + 1e-6));
  expect(tight.bound).toBeLessThanOrEqual(tight.seconds);
  expect(tight.seconds / tight.bound).toBeLessThan(1.05);
  const any = sure(planned(0.85 * free.bytes, true));
  expect(any.bytes).toBeLessThanOrEqual(0.85 * free.bytes);
  expect(any.seconds).toBeGreaterThanOrEqual(tight.seconds);
});
