import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";
import { carryEdits, strategyEdits } from "./index.ts";

const head = `mesh = Mesh(dp=2, mp=2)
# annotation: b class k+, k+ in -> b class in
def f(x, w): ...
x = Tensor((8, 4, 4))
w = Parameter((4, 4))
h = f(x, w)
`;

const calls = [
  "",
  "strategy(h)",
  'strategy(h, b="dp")',
  'strategy("h", b="dp",)',
  'strategy(\n    h,\n    b="dp"  # rows, (all\n)',
  'strategy(\n    h,\n    b="dp",  # rows\n)',
  'strategy(h, carry="dp", b=("mp"), )',
  'strategy(h, {"in": "mp"}, b="dp",)',
];

const identifier = fc.constantFrom("b", "class", "k", "in", undefined);

test("a strategy is written into the call that is there, words of Python and all", () => {
  fc.assert(
    fc.property(fc.constantFrom(...calls), identifier, identifier, (call, dp, mp) => {
      const wanted: Record<string, string[]> = {};
      if (dp !== undefined) wanted[dp] = ["dp"];
      if (mp !== undefined) wanted[mp] = [...(wanted[mp] ?? []), "mp"];
      const after = edited(call, strategyEdits, wanted);
      const [said, second] = after.trace.strategies;
      expect(second).toBeUndefined();
      const cuts = said?.cuts.map(({ key, written }) => [
        key,
        written.axes.map((axis) => axis.name),
      ]);
      expect(Object.fromEntries(cuts?.filter(([, axes]) => axes?.length !== 0) ?? [])).toEqual(
        wanted,
      );
    }),
  );
});

test.each(calls)("sums pass through by an argument of %j", (call) => {
  const [said, second] = edited(call, carryEdits, ["mp"]).trace.strategies;
  expect(second).toBeUndefined();
  expect(said?.carry?.axes.map(({ name }) => name)).toEqual(["mp"]);
});

test("sums pass through an operator that has an identifier named carry", () => {
  const [said] = edited("", carryEdits, ["mp"], head.replaceAll("b class", "carry class")).trace
    .strategies;
  expect(said?.carry?.axes.map(({ name }) => name)).toEqual(["mp"]);
  expect(said?.cuts).toEqual([]);
});

/** Text after the edits, checked to parse as Python. */
function edited<Wanted>(
  call: string,
  editsFor: (
    document: ReturnType<typeof readDocument>,
    operator: ReturnType<typeof readDocument>["graph"]["operators"][number],
    wanted: Wanted,
  ) => ReturnType<typeof strategyEdits>,
  wanted: Wanted,
  program = head,
) {
  const source = program + call;
  const document = readDocument(source);
  const [operator] = document.graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const after = readDocument(applyEdits(source, editsFor(document, operator, wanted)));
  expect(after.diagnostics.filter(({ upstream }) => upstream === "SyntaxError")).toEqual([]);
  expect(after.source).not.toMatch(/^\s*,/mu);
  return after;
}
