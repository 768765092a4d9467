import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { splitTexts } from "#language/texts";
import { answerTo } from "../commands.ts";
import type { Arguments } from "./answer.ts";
import { optimizeAnswer } from "./optimize.ts";

/** Figures of a plan in an answer. */
interface Figures {
  readonly seconds: number;
  readonly memory: number;
  readonly strategies: Readonly<Record<string, unknown>>;
  readonly layouts: Readonly<Record<string, unknown>>;
  readonly collectives: Readonly<Record<string, number>>;
}

/** Figures of an answer: as stated, and as its text compiles. */
function bothOf(args: Arguments): { readonly said: Figures; readonly taken: Figures } | undefined {
  const answer = optimizeAnswer(args);
  if (!answer.ok || typeof answer.program !== "string") return undefined;
  const { program, planText, objective, memory, strategies, layouts, collectives } = answer;
  const said = {
    ...{ seconds: Number(objective), memory: Number(memory) },
    ...{ strategies: Object(strategies), layouts: Object(layouts) },
    collectives: Object(collectives),
  };
  const plan = Object(answerTo("plan", { program, ...(planText !== undefined && { planText }) }));
  const counts = Object.keys(said.collectives).map((kind) => {
    const isKind = (step: { readonly collective: string }) => step.collective === kind;
    return [kind, plan.steps.filter(isKind).length] as const;
  });
  const inputs = plan.tensors.filter(
    ({ name, kind }: { readonly name: string; readonly kind: string }) =>
      kind !== "intermediate" && said.layouts[name] !== undefined,
  );
  const taken = {
    ...{ seconds: plan.cost.seconds, memory: plan.memory.peak },
    strategies: Object.fromEntries(
      plan.operators.map((each: Readonly<Record<string, unknown>>) => [each.name, each.strategy]),
    ),
    layouts: Object.fromEntries(
      inputs.map((each: Readonly<Record<string, unknown>>) => [
        each.name,
        each.atRest ?? each.layout,
      ]),
    ),
    collectives: Object.fromEntries(counts),
  };
  return { said, taken };
}

function expectSame(args: Arguments): boolean {
  const both = bothOf(args);
  if (both === undefined) return false;
  const { said, taken } = both;
  expect(said.seconds).toBe(taken.seconds);
  expect(said.memory).toBe(taken.memory);
  expect(taken.strategies).toMatchObject(said.strategies);
  expect(said.layouts).toMatchObject(taken.layouts);
  expect(said.collectives).toEqual(taken.collectives);
  return true;
}

test("what is said of the plan of an example is what its text compiles to", () => {
  const compared = examples.filter((example) => {
    const texts = splitTexts(exampleText(example));
    if (texts === undefined) return expectSame({ program: exampleText(example) });
    return expectSame({ program: texts.json, planText: texts.plan });
  });
  expect(compared.length).toBeGreaterThan(25);
});

test("a text that is faster than what is found stays as it is, with its own figures", () => {
  const program = `mesh = Mesh(dp=8, tp=2)
x = Tensor((4096, 8192), "bf16")
w1 = Parameter((8192, 32768), "bf16")
w2 = Parameter((32768, 8192), "bf16")
h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
train(y, optimizer="adam")
strategy(h, n=("dp", "tp"))
strategy(y, k=("dp", "tp"))
`;
  const answer = optimizeAnswer({ program });
  expect(answer).toMatchObject({
    ...{ ok: true, program },
    diagnostics: [{ code: "planner/nothing-faster", severity: "info" }],
  });
  expect(Number(answer.bound)).toBeLessThanOrEqual(Number(answer.objective));
  const { cost } = Object(answerTo("plan", { program }));
  expect(answer.objective).toBe(cost.seconds);
});
