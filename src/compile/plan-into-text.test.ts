import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { planIntoText } from "./plan-into-text.ts";

test("a plan that cuts by pieces on one device has no words", () => {
  const document = readDocument("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
  const [operator] = document.graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const [axis] = operator.axes;
  const cuts = { [axis?.name ?? ""]: [{ kind: "pieces", count: 2 } as const] };
  const strategies = new Map([[operator.id, { cuts, carry: [] }]]);
  const text = planIntoText(document, { strategies, rest: new Map(), ends: new Map() });
  expect(text).toMatchObject({ ok: false, diagnostic: { code: "planner/no-words" } });
});
