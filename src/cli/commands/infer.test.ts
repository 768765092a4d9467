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
