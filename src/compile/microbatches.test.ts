import { expect, test } from "vitest";
import { type FlatStep, fold, listSteps, stepsAsRun, unroll } from "#core/program";
import { compile } from "./compile.ts";

/** A step with 256 rows in bf16 on 4 devices, and a weight of 16,384 bytes. */
function step(zero: number, microbatches: number) {
  return compile(`mesh = Mesh(dp=4)
x = Tensor((256, 64), "bf16")
w = Parameter((64, 128), "bf16")
place(x, layout("dp", "None"))
y = matmul(x, w)
strategy(y, m="dp")
train(y, optimizer="adam", zero=${zero}, microbatches=${microbatches})
`);
}

/** Bytes that a device receives when the weight is gathered, or its gradient scattered. */
const share = (3 / 4) * 16_384;

function countsIn(steps: readonly FlatStep[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const each of steps) {
    // Slices are skipped: they take a piece of a whole tensor and send nothing.
    if (each.kind !== "collective" || each.collective === "slice") continue;
    counts[each.collective] = (counts[each.collective] ?? 0) + 1;
  }
  return counts;
}

// planner.md §6.3: an all-reduce is a reduce-scatter and an all-gather.
test.each`
  zero | count | collectives                                  | shares
  ${0} | ${1}  | ${{ "all-reduce": 1 }}                       | ${2}
  ${0} | ${8}  | ${{ "all-reduce": 1 }}                       | ${2}
  ${1} | ${1}  | ${{ "reduce-scatter": 1, "all-gather": 1 }}  | ${2}
  ${1} | ${8}  | ${{ "reduce-scatter": 1, "all-gather": 1 }}  | ${2}
  ${2} | ${1}  | ${{ "reduce-scatter": 1, "all-gather": 1 }}  | ${2}
  ${2} | ${8}  | ${{ "reduce-scatter": 8, "all-gather": 1 }}  | ${9}
  ${3} | ${1}  | ${{ "reduce-scatter": 1, "all-gather": 2 }}  | ${3}
  ${3} | ${8}  | ${{ "reduce-scatter": 8, "all-gather": 16 }} | ${24}
`(
  "ZeRO $zero in $count micro-batches sends $collectives",
  ({ zero, count, collectives, shares }) => {
    const { program, cost, diagnostics } = step(zero, count);
    expect(diagnostics).toEqual([]);
    expect(countsIn(stepsAsRun(program))).toEqual(collectives);
    expect(cost.bytes).toBe(shares * share);
    const sent = cost.collectives.filter((each) => each.collective !== "slice");
    const counted = sent.map(({ collective, count: n }) => [collective, n]);
    expect(Object.fromEntries(counted)).toEqual(collectives);
  },
);

test("results are there for one micro-batch, sums of gradients for all of them", () => {
  const [one, eight] = [step(2, 1).memory, step(2, 8).memory];
  expect(one.activationBytes).toBe(64 * 128 * 2);
  expect(eight.activationBytes).toBe(8 * 128 * 2);
  // The given gradient, the fresh one of the parameter, and the sum split in four.
  expect(eight.gradientBytes).toBe(8 * 128 * 2 + 16_384 + 16_384 / 4 + 16_384 / 4);
  expect(eight.inputBytes).toBe(one.inputBytes);
  expect(eight.optimizerBytes).toBe(one.optimizerBytes);
});

test("work is that of the whole batch, and every micro-batch reads the weight anew", () => {
  const [one, eight] = [step(0, 1), step(0, 8)];
  const seconds = (compiled: typeof one, name: string) =>
    compiled.cost.operators.find(({ operator }) => operator === name)?.seconds ?? 0;
  expect(seconds(eight, "y")).toBeGreaterThan(seconds(one, "y"));
  // Every run of a kernel has its launch time; with so few rows it takes as long as with all of
  // them.
  expect(seconds(eight, "y")).toBeLessThanOrEqual(8 * seconds(one, "y"));
});

test("steps of a micro-batch are listed once, with how often they run", () => {
  const { program } = step(3, 8);
  const listed = listSteps(fold(program)).map(({ step: each, count }) =>
    each.kind === "local" ? `${count} ${each.operator}` : `${count} ${each.collective}`,
  );
  expect(listed).toEqual([
    ...["8 all-gather", "8 y", "8 all-gather", "8 w.grad", "8 reduce-scatter"],
    ...["8 w.grad.sum", "1 w.new"],
  ]);
  expect(unroll(fold(program))).toEqual(program);
});

test("a batch that cannot be cut evenly is an error, and the whole batch stands", () => {
  const { diagnostics, program } = step(0, 7);
  expect(diagnostics).toMatchObject([
    { code: "training/uneven-microbatches", severity: "error", span: { from: 149 } },
  ]);
  expect(program.microbatches).toBeUndefined();
});
