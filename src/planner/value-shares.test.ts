import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, networkOf, weighed } from "./network.ts";
import { requestOf, smallPrograms, textOf } from "./small-programs.testing.ts";

test("a plan that is weighed once for equal values weighs what its definitions say, whatever it is", () => {
  fc.assert(
    fc.property(smallPrograms, fc.array(fc.nat(), { minLength: 12 }), (program, numbers) => {
      for (const asked of [requestOf(textOf(program)), ownOf(requestOf(textOf(program)))]) {
        const network = networkOf(asked);
        // Plans one after the other share remembered results.
        for (let turn = 0; turn < 3; turn += 1) {
          const plan = network.unknowns.map(({ seconds }, at) =>
            seconds.length === 0
              ? 0
              : (numbers[(at + turn) % numbers.length] ?? 0) % seconds.length,
          );
          expect(weighed(network, plan)).toEqual(evaluate(network, plan));
        }
      }
    }),
    { numRuns: 30 },
  );
});

/** The same request under the product's own costs. */
function ownOf({ model: _, ...request }: ReturnType<typeof requestOf>) {
  return request;
}
