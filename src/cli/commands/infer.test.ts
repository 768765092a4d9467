import { expect, test } from "vitest";
import { casesOf, shortfalls } from "./conformance.testing.ts";
import { inferAnswer } from "./infer.ts";

test("every infer case of dimops holds", () => {
  const cases = casesOf("dimops", "infer");
  expect(cases.length).toBeGreaterThan(100);
  const failed = cases.flatMap(({ id, request, expected }) => {
    const lacking = shortfalls(inferAnswer(request.args), expected);
    return lacking.length === 0 ? [] : [{ id, args: request.args, lacking }];
  });
  expect(failed).toEqual([]);
});

const twoCandidates = ["k+, k+ -> 1", "m k+, k+ n -> m n"];

test("the first candidate that fits is bound", () => {
  const answer = inferAnswer({
    annotations: twoCandidates,
    shapes: [
      [3, 4],
      [4, 2],
    ],
  });
  expect(answer).toMatchObject({ ok: true, expanded: "m k+, k+ n -> m n", outputs: [[3, 2]] });
});

test("where no candidate fits, each says why, and no place of one text is named", () => {
  const answer = inferAnswer({ annotations: twoCandidates, shapes: [[3], [4, 2]] });
  expect(answer.diagnostics).toMatchObject([{ upstream: "RuntimeError" }]);
  expect(answer.diagnostics[0]?.message).toBe(
    'no matching annotation; "k+, k+ -> 1^": input 1 has the shape (4, 2), but its annotation "k+" wants rank 1; ' +
      '"m k+, k+ n -> m n": input 0 has the shape (3,), but its annotation "m k+" wants rank 2',
  );
  expect(answer.diagnostics[0]?.span).toBeUndefined();
});

test("a size beyond all reckoning is a fault, not a wrong number", () => {
  const answer = inferAnswer({ annotation: `a -> ${"9".repeat(400)}`, shapes: [[2]] });
  expect(answer.diagnostics.map(({ code }) => code)).toEqual(["dimops/size-too-large"]);
});
