import { expect, test } from "vitest";
import type { BoundCall, CallOperand } from "../call.ts";
import type { Expr } from "./body.ts";
import { cutsOfBody } from "./body-cuts.ts";

const operand: CallOperand = { shape: [8], dims: [{ identifiers: ["a"] }] };
const call: BoundCall = {
  inputs: [operand],
  outputs: [operand],
  axes: [{ name: "a", size: 8, reduction: "^" }],
  attributes: {},
};
const here: Expr = { kind: "index", axis: "a" };
const first: Expr = { kind: "number", value: 0 };

test.each([
  ["where the axis stands", here, [["a", ""]]],
  ["elsewhere", first, []],
] as const)("an operand that is read %s, however deep that is nested", (_, place, marks) => {
  const read: Expr = { kind: "read", operand: 0, at: [place] };
  let value: Expr = read;
  for (let depth = 0; depth < 50_000; depth += 1)
    value = { kind: "apply", function: "add", args: [value, read] };
  const body = { tables: [], outputs: [{ over: [], combine: "sum", value } as const] };
  expect([...cutsOfBody(call, body, undefined).marks]).toEqual(marks);
});
