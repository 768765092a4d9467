import fc from "fast-check";
import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { planDocument, planQuestion } from "#edit";
import { readDocument } from "#systems";
import { optimize } from "./optimize.ts";

const axes = [undefined, "dp", "tp", '("dp", "tp")', '("tp", "dp")'] as const;

/** A step of two layers on 16 devices, with weights larger than its inputs. */
const step = `mesh = Mesh(dp=8, tp=2)
x = Tensor((4096, 8192), "bf16")
w1 = Parameter((8192, 32768), "bf16")
w2 = Parameter((32768, 8192), "bf16")
h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
train(y, optimizer="adam")
`;

/** The seconds of a step under its own lines, and the lower bound for all plans. */
const secondsOf = (text: string) => compileDocument(readDocument(text)).cost.seconds;

function planned() {
  const { plan: _, ...question } = planQuestion(planDocument(step), { freesPlaces: true });
  const found = optimize(
    { ...question, ends: new Map() },
    { measure: ({ seconds }) => ({ seconds, bytes: 1 }) },
  );
  if (!found.ok) throw new Error(found.diagnostic.message);
  return found.value;
}

test("no plan of a training step goes below its bound", () => {
  const { bound } = planned();
  const cut = fc.constantFrom(...axes);
  const line = (name: string, cuts: Readonly<Record<string, string | undefined>>) => {
    const said = Object.entries(cuts).flatMap(([key, axis]) =>
      axis === undefined ? [] : [`${key}=${axis.startsWith("(") ? axis : `"${axis}"`}`],
    );
    return said.length === 0 ? "" : `strategy(${[name, ...said].join(", ")})\n`;
  };
  expect(bound).toBeGreaterThan(0);
  fc.assert(
    fc.property(cut, cut, cut, cut, (m, n, rows, k) => {
      const text = `${step}${line("h", { m, n })}${line("y", { m: rows, k })}`;
      expect(secondsOf(text)).toBeGreaterThanOrEqual(bound * (1 - 1e-9));
    }),
    {
      numRuns: process.env.SOAK === undefined ? 40 : 600,
      examples: [[undefined, '("dp", "tp")', undefined, '("dp", "tp")']],
    },
  );
});
