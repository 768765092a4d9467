import { expect, test } from "vitest";
import { casesOf, shortfalls } from "./conformance.testing.ts";
import { partitionAnswer } from "./partition.ts";

test("every partition case of dimops holds", () => {
  const cases = casesOf("dimops", "partition");
  expect(cases.length).toBeGreaterThan(100);
  const failed = cases.flatMap(({ id, request, expected }) => {
    const lacking = shortfalls(partitionAnswer(request.args), expected);
    return lacking.length === 0 ? [] : [{ id, args: request.args, lacking }];
  });
  expect(failed).toEqual([]);
});

const matmul = {
  annotation: "m k^, k^ n, n -> m n",
  shapes: [[4, 6], [6, 8], [8]],
  rules: [{ inputs: ["D1", "D0", "V"], outputs: ["V"] }],
};

test("a special rule answers with value splits", () => {
  const answer = partitionAnswer({ ...matmul, config: [2, "v", 2] });
  expect(answer).toMatchObject({
    ok: true,
    inputs: ["D1", "D0", "V"],
    outputs: ["V"],
    pieces: [{ inputs: [{}, {}, { value: [0, 2] }] }, { inputs: [{}, {}, { value: [1, 2] }] }],
  });
});

test.each([
  [{ ...matmul }],
  [{ ...matmul, config: [0, 1] }],
  [{ ...matmul, config: [0, "w", 2] }],
  [{ ...matmul, config: [0, 1, 2], rules: [{ inputs: ["X"], outputs: [] }] }],
  [{ ...matmul, config: [0, 1, 2], rules: 5 }],
  [{ ...matmul, config: [0, 1, 2], shapes: 5 }],
  [{ ...matmul, config: [0, 1, 2], shapes: [[-1, 2]] }],
  [{ ...matmul, config: [0, 1, 2], kwargs: [] }],
  [{ config: [0, 1, 2], shapes: [], annotations: [] }],
])("a request of another form is refused: %j", (args) => {
  expect(partitionAnswer(args).diagnostics[0]?.code).toBe("cli/bad-request");
});
