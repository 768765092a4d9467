import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { cpuEngine } from "#execute/cpu";
import type { Engine } from "#execute/engine";
import { readDocument } from "#systems";
import { runPlanOn } from "./index.ts";

const text = `mesh = Mesh(p=4)
x = Tensor((64, 64))
y = relu(x)
strategy(y, a="p")
`;
const { plan, program } = compileDocument(readDocument(text));
/** Bytes of x and y, each with a quarter on every device, in doubles of eight bytes. */
const needed = 2 * 64 * 64 * 8;

/** An engine with a limit of bytes, and the number of its runs. */
function engineOf(mostBytes: number) {
  const asked = { count: 0 };
  const engine: Engine = {
    ...{ name: "webgpu", isSingle: false, mostBytes },
    run: async (task) => {
      asked.count += 1;
      return cpuEngine().run(task);
    },
  };
  return { engine, asked };
}

test.each`
  mostBytes     | sizes    | ran  | codes
  ${needed}     | ${"own"} | ${1} | ${[]}
  ${needed - 1} | ${"own"} | ${0} | ${["execute/too-much-memory", "execute/would-fit"]}
  ${needed - 1} | ${"fit"} | ${1} | ${["execute/reduced-sizes"]}
  ${1}          | ${"fit"} | ${0} | ${["execute/too-much-memory"]}
`("an engine of $mostBytes bytes, sizes $sizes, runs $ran times", async (row) => {
  const { mostBytes, sizes, ran, codes } = row;
  const { engine, asked } = engineOf(mostBytes);
  const run = await runPlanOn(engine, plan, program, { seed: 1, values: "integers", sizes });
  expect(run.diagnostics.map(({ code }) => code)).toEqual(codes);
  expect(run.ok).toBe(ran > 0);
  expect(asked.count).toBe(ran);
});

test("a refusal for memory has its numbers, and says that the limit is assumed", async () => {
  const { engine } = engineOf(20_000);
  const options = { seed: 1, values: "integers", sizes: "own" } as const;
  const { diagnostics } = await runPlanOn(engine, plan, program, options);
  expect(diagnostics[0]?.message).toBe(
    "the values of all devices take 1 MB together, and a run is given 1 MB, since nobody tells how much memory there is: use smaller sizes or fewer devices",
  );
});
