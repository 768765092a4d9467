import { describe, expect, test } from "vitest";
import { createAssistant } from "#app/assist";
import { examples, exampleText } from "#app/examples";
import type { PlanAnswer } from "./plan-protocol.ts";
import { searchWord } from "./plan-search.ts";

const { compile: compileText } = createAssistant(() => 0);

function answerTo(source: string, memoryLimit?: number): PlanAnswer {
  const asked = { id: 1, source, ...(memoryLimit !== undefined && { memoryLimit }) };
  const word = searchWord(asked, () => {});
  if (word.kind !== "answer") throw new Error(word.message);
  return word.answer;
}

function plannedOf(source: string) {
  const answer = answerTo(source);
  if (answer.kind !== "planned") throw new Error(answer.message);
  return answer;
}

const head = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
h = matmul(x, w)
`;

/** All but the one on three axes, which takes seconds. */
const texts = examples
  .filter(({ name }) => name !== "mesh-8x8x8")
  .map((example) => [example.name, exampleText(example)] as const);

test.each(texts)(
  "%s: the text with the plan takes what the plan was to take, and has no faster one",
  (_, text) => {
    const first = answerTo(text);
    if (first.kind !== "planned" || first.source === undefined) {
      expect(first.kind).toBe("refused");
      return;
    }
    const { before, seconds } = first;
    expect(seconds).toBeLessThanOrEqual(before * (1 + 1e-9));
    expect(compileText(first.source).cost.seconds).toBeCloseTo(seconds, 12);
    const again = plannedOf(first.source);
    expect(again.seconds).toBeCloseTo(seconds, 12);
    expect(again.source).toBe(first.source);
    expect(again.changes).toEqual([]);
  },
);

describe("a search", () => {
  test("says how far it is", () => {
    const stages: string[] = [];
    searchWord({ id: 1, source: head }, (stage) => stages.push(stage));
    expect(stages).toEqual(["reading", "searching", "writing"]);
  });

  test("names what changes and what is pinned", () => {
    const { changes } = plannedOf(`${head}strategy(h)\n`);
    expect(changes).toMatchObject([{ name: "h", count: 1, before: "" }]);
    const pinned = plannedOf(`${head}strategy(h)\npin(h)\n`);
    expect(pinned.changes).toEqual([]);
    expect(pinned.pins).toEqual(["h"]);
  });

  test("says how many bytes the leanest plan takes where none keeps the limit", () => {
    const answer = answerTo(head, 1000);
    expect(answer.kind).toBe("infeasible");
    const least = answer.kind === "infeasible" ? answer.leastBytes : undefined;
    expect(answerTo(head, least).kind).toBe("planned");
    expect(answerTo(head, (least ?? 0) - 1).kind).toBe("infeasible");
  });

  test.each([
    ["x = Tensor((8, 8)", /has errors/],
    ["mesh = Mesh(dp=2)\nx = Tensor((8, 8))", /no operator/],
    ["x = Tensor((8, 8))\ny = relu(x)", /one device/],
  ])("of %j says why there is nothing to plan", (source, reason) => {
    const answer = answerTo(source);
    expect(answer).toMatchObject({ kind: "refused", message: expect.stringMatching(reason) });
  });
});
