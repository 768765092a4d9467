import { expect, test } from "vitest";
import { optimalityGap } from "#core/cost";
import { plannedCosts, planQuestion } from "#edit";
import { readDocument } from "#systems";
import { optimize } from "./optimize.ts";

/** Layers whose weights are reduced over the devices while the layers before them are computed. */
function planned(overlap: string, devices: string) {
  const document = readDocument(`${devices}
def w(*shape):
    return Parameter(shape, "bf16")
x = Tensor((64, 512, 2048), "bf16")
for _ in range(6):
    x = matmul(gelu(matmul(x, w(2048, 8192))), w(8192, 2048))
train(x, overlap="${overlap}")
`);
  const { training, ...question } = planQuestion(document, { freesPlaces: false });
  const request = { ...question, ends: new Map(), endsInSums: true, ...(training && { training }) };
  const outcome = optimize(request, {
    measure: ({ strategies, layouts }) => plannedCosts(document, { strategies, ...layouts }),
  });
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  return outcome.value;
}

test.each`
  devices
  ${'mesh = Mesh(dp=8, hardware="8xH100")'}
  ${'mesh = Mesh(dp=2, tp=8, hardware="2x8xH100")'}
`(
  "on $devices weights' traffic takes less time beside compute, and the sum knows",
  ({ devices }) => {
    const [hidden, inOrder] = [planned("weights", devices), planned("none", devices)];
    expect(hidden.seconds).toBeLessThan(0.98 * inOrder.seconds);
    expect(optimalityGap(hidden)).toBeLessThan(0.15);
    expect(hidden.bound).toBeLessThanOrEqual(hidden.seconds);
  },
);
