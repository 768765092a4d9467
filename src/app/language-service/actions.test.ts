import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { actionsAt } from "./actions.ts";
import { exampleMarked, manyOperators, markedFacts } from "./marked.testing.ts";

function actionsOf(text: string, isSpent = () => false) {
  const { facts, offset } = markedFacts(text);
  return { facts, actions: actionsAt(facts, offset, isSpent) };
}

const mlp = (marked: string) =>
  `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
y = gelu(h)
strategy(h, n="mp")
strategy(y, a="dp")
`.replace(marked.replace("‸", ""), marked);

// The same redistribution, requested at its operand, its operator, its result and its strategy.
test.each(["gelu(‸h)", "ge‸lu(h)", "‸y = gelu", 'strategy(‸y, a="dp")'])(
  "at %s the redistribution of h can be done without",
  (marked) => {
    const { facts, actions } = actionsOf(mlp(marked));
    const titles = actions.map(({ title }) => title);
    expect(titles[0]).toMatch(/^Split both sides: .* \(−[\d.]+ k?B sent\)$/);
    expect(titles.join()).toContain("Gather h over mp: place it as [m, n]");
    for (const { edits } of actions) {
      const after = facts.reread(applyEdits(facts.source, edits)).compiled;
      expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  },
);

test("where nothing moves there is nothing to do", () => {
  expect(actionsOf(mlp("ma‸tmul(x, w)").replace('strategy(y, a="dp")\n', "")).actions).toEqual([]);
});

test("a sum offers to end in pieces", () => {
  const text = mlp("gelu(‸h)").replace('n="mp"', 'k="mp"').replace('strategy(y, a="dp")\n', "");
  const { actions } = actionsOf(`${text}strategy(y)\n`);
  expect(actions.map(({ title }) => title).join("\n")).toMatch(/^Use reduce-scatter: place h/m);
});

test("of a large program, what there is no time to try is not offered", () => {
  expect(actionsOf(mlp("gelu(‸h)") + manyOperators, () => true).actions).toEqual([]);
});

test("blocks that repeat are changed together", () => {
  const { actions } = actionsOf(exampleMarked("transformer-stack", "matmul(a, ‸self.down"));
  expect(actions.map(({ title }) => title).join()).toContain("layers[*].");
});
