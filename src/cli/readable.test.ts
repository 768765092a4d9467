import { expect, test } from "vitest";
import { readable } from "./readable.ts";

test("facts, tables and problems read from top to bottom", () => {
  const answer = {
    ok: false,
    canonical: "a -> a",
    cost: { seconds: 2, bytes: 96 },
    tensors: [
      { name: "x", layout: "dp,_" },
      { name: "long name", shape: [8, 4], text: "first\nsecond" },
    ],
  };
  const fault = { code: "dimops/missing-arrow", severity: "error" } as const;
  const problem = { ...fault, message: "there is no arrow", from: 3, to: 4, line: 1, column: 4 };
  expect(readable(answer, [problem])).toBe(`canonical: a -> a
cost:
  seconds: 2
  bytes: 96

tensors:
  name       layout  shape  text
  x          dp,_
  long name          [8,4]  first…

1:4 error: there is no arrow [dimops/missing-arrow]
not ok`);
});
