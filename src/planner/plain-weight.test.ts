import fc from "fast-check";
import { expect, test } from "vitest";
import { planQuestion } from "#edit";
import { readDocument } from "#systems";
import { evaluate, type Network, networkOf, repriced } from "./network.ts";

/** The network of a weight with two readers, whose work hides its traffic. */
function networkFor(step: string): Network {
  const document = readDocument(`mesh = Mesh(dp=4, tp=2, hardware="8xH100")
x = Tensor((64, 256), "bf16")
w = Parameter((256, 256), "bf16")
v = Parameter((256, 512), "bf16")
y = matmul(gelu(matmul(relu(matmul(x, w)), w)), v)
train(y, ${step})
`);
  const { training, ...question } = planQuestion(document, { freesPlaces: true });
  return networkOf({
    ...question,
    ends: new Map(),
    endsInSums: true,
    ...(training !== undefined && { training }),
  });
}

/** The weight of a plan by the tables of a network. */
function tabled({ unknowns, tables }: Network, plan: readonly number[]) {
  let seconds = 0;
  let bytes = 0;
  for (const [at, unknown] of unknowns.entries()) seconds += unknown.seconds[plan[at] ?? 0] ?? 0;
  for (const table of tables) {
    const place = table.scope.reduce(
      (index, at, level) =>
        index * (table.dims[level] ?? 1) + (table.maps[level]?.[plan[at] ?? 0] ?? 0),
      0,
    );
    seconds += table.seconds[place] ?? 0;
    bytes += table.bytes[place] ?? 0;
  }
  return { seconds, bytes };
}

test.each`
  step
  ${'optimizer="adam"'}
  ${'optimizer="adam", overlap="none"'}
  ${'optimizer="adam", microbatches=4'}
  ${'optimizer="adam", zero=1'}
  ${'optimizer="adam", zero=3'}
`("with $step the tables of a plan say what its definition says", ({ step }) => {
  const network = networkFor(step);
  const plans = fc.tuple(
    ...network.unknowns.map(({ seconds }) => fc.nat({ max: seconds.length - 1 })),
  );
  fc.assert(
    fc.property(plans, (plan) => {
      const { seconds, bytes } = evaluate(network, plan);
      fc.pre(Number.isFinite(seconds));
      const known = tabled(repriced(network), plan);
      expect(known.seconds / seconds).toBeCloseTo(1, 9);
      expect(known.bytes / bytes).toBeCloseTo(1, 9);
    }),
    { numRuns: 60 },
  );
});
