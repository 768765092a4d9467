import { expect, test } from "vitest";
import { optimalityGap } from "#core/cost";
import { costsOf, createPlanWriter, planDocument, planQuestion } from "#edit";
import { optimize } from "./optimize.ts";

/** A plan for two products and a norm, with weights in one written type, under a policy. */
function plannedIn(dtype: "f32" | "bf16", precision: string) {
  const document = planDocument(`mesh = Mesh(dp=4, tp=2, hardware="8xH100")
x = Tensor((64, 1024, 4096), "${dtype}")
g = Parameter((4096,), "${dtype}")
w1 = Parameter((4096, 16384), "${dtype}")
w2 = Parameter((16384, 4096), "${dtype}")
n = layer_norm(x, g)
h = gelu(matmul(n, w1))
y = matmul(h, w2)
train(y, optimizer="adamw", precision="${precision}")
`);
  const { training, ...question } = planQuestion(document, { freesPlaces: false });
  const writer = createPlanWriter(document);
  const request = { ...question, ends: new Map(), ...(training && { training }) };
  const outcome = optimize(request, {
    measure: ({ strategies, layouts }) =>
      costsOf(writer.written({ strategies, ...layouts }).analysis),
  });
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  return outcome.value;
}

test.each(["autocast", "megatron", "fsdp"])(
  "under %s weights in f32 are planned as what they compute with, and the bound is near the plan",
  (precision) => {
    const [wide, narrow] = [plannedIn("f32", precision), plannedIn("bf16", precision)];
    expect(wide.bound).toBeLessThanOrEqual(wide.seconds);
    expect(optimalityGap(wide)).toBeLessThan(0.25);
    expect(wide.seconds).toBeLessThan(1.1 * narrow.seconds);
  },
);
