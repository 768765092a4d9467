import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { createLanguageService } from "#app/language-service";
import type { PlanAnswer, PlanAsked, PlanProgress } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";

const { compile: compileText } = createLanguageService(() => 0);

function answerTo(source: string, memoryLimit?: number, more: Partial<PlanAsked> = {}): PlanAnswer {
  const asked = { source, ...(memoryLimit !== undefined && { memoryLimit }), ...more };
  return searchPlan(asked, () => {});
}

function plannedOf(source: string, more: Partial<PlanAsked> = {}) {
  const answer = answerTo(source, undefined, more);
  if (answer.kind !== "planned") throw new Error(answer.message);
  return answer;
}

const head = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
h = matmul(x, w)
`;

/** All examples except the three-axis mesh, which takes seconds. */
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

/** Text with placed tensors, whose faster plans move an input and a parameter. */
const placed = `mesh = Mesh(tp=8, hardware="8xH100")
x = Tensor((64, 4096), "bf16")
w = Parameter((4096, 16384), "bf16")
y = matmul(x, w)
place(w, layout("None", "None"))
train(y)
`;

describe("a search", () => {
  test("leaves inputs and parameters where the text places them, unless they are free to move", () => {
    const stays = plannedOf(placed);
    expect(stays.source).toContain('place(w, layout("None", "None"))');
    const moves = plannedOf(placed, { whatIf: { free: ["placements"] } });
    expect(moves.source).not.toContain('place(w, layout("None", "None"))');
    expect(moves.seconds).toBeLessThan(stays.seconds);
  });

  test("says how far it is", () => {
    const heard: PlanProgress[] = [];
    searchPlan({ source: head }, (news) => heard.push(news));
    const stages = heard.flatMap((news) => (news.kind === "stage" ? [news.stage] : []));
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

  test("says what fills a device where no plan fits, and what would do, which then does", () => {
    const pinned = `${head}pin(h)\n`;
    const least = answerTo(head, 0);
    const held = answerTo(pinned, 0);
    if (least.kind !== "infeasible" || held.kind !== "infeasible") throw new Error("a plan");
    const limit = ((least.leastBytes ?? 0) + (held.leastBytes ?? 0)) / 2;
    const answer = answerTo(pinned, limit);
    if (answer.kind !== "infeasible") throw new Error("a plan");
    const { holds = [], remedies = [] } = answer.shortage ?? {};
    const sum = holds.reduce((total, { bytes }) => total + bytes, 0);
    expect(sum).toBe(answer.leastBytes);
    expect(remedies[0]?.text).toBe('releasing the pin of "h"');
    expect(answerTo(head, remedies[0]?.bytes).kind).toBe("planned");
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

const sized = `batch = 8
mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((batch, 1024, 512), "bf16")
w = Parameter((512, 2048), "bf16")
h = matmul(x, w)
`;

describe("a search within a limit that binds", () => {
  test("tells plans that fit as it goes on, each a text of its own", () => {
    const free = plannedOf(head);
    const least = answerTo(head, 0);
    if (least.kind !== "infeasible" || least.leastBytes === undefined) throw new Error("no least");
    const memoryLimit = (free.bytes + least.leastBytes) / 2;
    const heard: PlanProgress[] = [];
    const answer = searchPlan({ source: head, memoryLimit }, (news) => heard.push(news));
    const found = heard.flatMap((news) => (news.kind === "found" ? [news.planned] : []));
    expect(found.length).toBeGreaterThan(0);
    for (const planned of found) {
      expect(planned.bytes).toBeLessThanOrEqual(memoryLimit);
      expect(compileText(planned.source ?? "").memory.peakBytes).toBe(planned.bytes);
    }
    expect(answer).toEqual(found.at(-1));
  });
});

describe("values that are tried", () => {
  test("sizes are offered where the text gives them as one number", () => {
    expect(plannedOf(sized).sizes).toEqual([
      { kind: "batch", of: ["x"], value: 8 },
      { kind: "sequence", of: ["x"], value: 1024 },
    ]);
    const summed = sized.replace("batch = 8", "batch = 4 + 4");
    expect(plannedOf(summed).sizes).toMatchObject([{ kind: "sequence" }]);
  });

  test("a size that another text fixes is not offered", () => {
    const fixed = `${sized}b = Parameter((8, 1024, 2048), "bf16")\nz = h + b\n`;
    expect(plannedOf(fixed).sizes).toEqual([]);
  });

  test("another size stands in the text of the plan", () => {
    const planned = plannedOf(sized, { whatIf: { sizes: { batch: 32 } } });
    expect(planned.source).toContain("batch = 32\n");
    expect(compileText(planned.source ?? "").cost.seconds).toBeCloseTo(planned.seconds, 12);
    expect(planned.sizes[0]).toMatchObject({ value: 8 });
  });

  test("other links stand in the text of the plan, which takes what was told", () => {
    const slow = plannedOf(head, { whatIf: { bandwidth: 1 / 64 } });
    const now = plannedOf(head);
    expect(slow.before).toBeGreaterThanOrEqual(now.before);
    expect(slow.asNamed).toBeUndefined();
    expect(slow.model).toBe("8×H100, changed");
    expect(slow.source).toContain(
      'links={"dp": {"bandwidth": 7.03125e9}, "tp": {"bandwidth": 7.03125e9}}',
    );
    expect(compileText(slow.source ?? "").cost.seconds).toBeCloseTo(slow.seconds, 12);
  });

  test("where the text has no place for other links both times are told", () => {
    const arranged = head
      .replace(/^mesh.*$/m, 'layout = Layout((2, 4), ("dp", "tp"))')
      .concat('place(x, layout("dp", "None"))\n');
    const slow = plannedOf(arranged, { whatIf: { bandwidth: 1 / 64 } });
    const now = plannedOf(arranged);
    expect(now.asNamed).toBeUndefined();
    expect(slow.asNamed?.seconds).toBeCloseTo(compileText(slow.source ?? "").cost.seconds, 12);
    expect(slow.asNamed?.seconds).toBeGreaterThanOrEqual(now.seconds * (1 - 1e-9));
  });
});
