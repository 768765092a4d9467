import { runProgramOn } from "#execute/verify";
import { chooseGpu, type GpuChoice } from "#execute/webgpu";
import { randomProgram } from "../../src/execute/verify/random-program.testing.ts";
import { brokenRuns, cutsOf, faultsOf } from "../../src/execute/webgpu/broken-runs.testing.ts";

/** Numbers of random programs by outcome. */
export interface RandomCounts {
  readonly programs: number;
  /** Programs with a fault that both engines found, in the same cell. */
  readonly found: number;
  /** Faults that neither engine found. */
  readonly unseen: number;
  /** Programs in which no fault shows: they send nothing, or the same to all devices. */
  readonly without: number;
  /** Differences, as one sentence each. */
  readonly wrong: readonly string[];
}

/** Functions of the page that the script calls. */
export interface RandomPage {
  adapter(): Promise<string>;
  run(from: number, count: number): Promise<RandomCounts>;
}

declare global {
  interface Window {
    random: RandomPage;
  }
}

type GpuEngine = Extract<GpuChoice, { readonly kind: "webgpu" }>["engine"];

const chosen = chooseGpu(navigator.gpu);

async function engineHere(): Promise<GpuEngine> {
  const choice = await chosen;
  if (choice.kind === "cpu") throw new Error(choice.why);
  return choice.engine;
}

window.random = {
  adapter: async () => (await engineHere()).adapter,
  run: async (from, count) => {
    const engine = await engineHere();
    const counts = { programs: 0, found: 0, unseen: 0, without: 0, wrong: [] as string[] };
    for (let seed = from; seed < from + count; seed += 1) {
      const { wrong, hasFound, unseen } = await outcomeOf(engine, seed);
      counts.programs += 1;
      counts.unseen += unseen;
      counts[hasFound ? "found" : "without"] += 1;
      counts.wrong.push(...wrong);
    }
    return counts;
  },
};

/**
 * Runs a random program on the GPU and compares it with its reference, then tries faults until one
 * shows.
 */
async function outcomeOf(engine: GpuEngine, seed: number) {
  const program = randomProgram(seed);
  const wrong: string[] = [];
  const run = await runProgramOn(engine, program, { seed, values: "integers" });
  if (!run.ok) wrong.push(`program ${seed}: ${run.diagnostics[0]?.message}`);
  else {
    const { first, ran } = run.value;
    if (first !== undefined) wrong.push(`program ${seed}: ${JSON.stringify(first)}`);
    ran.run.release?.();
  }
  const runs = brokenRuns(engine, program, seed);
  const ways = faultsOf(program);
  const first = ways.length === 0 ? 0 : seed % ways.length;
  let unseen = 0;
  for (const fault of [...ways.slice(first), ...ways.slice(0, first), ...cutsOf(program)]) {
    if (runs === undefined) break;
    const { name, ...sabotage } = fault;
    const [here, there] = [runs.onCpu(sabotage), await runs.onGpu(sabotage)];
    if (JSON.stringify(here) !== JSON.stringify(there)) {
      const texts = [here, there].map((each) => JSON.stringify(each));
      wrong.push(`program ${seed}, ${name}: ${texts.join(" on the CPU, on the GPU ")}`);
    }
    if (here !== undefined) return { wrong, hasFound: true, unseen };
    unseen += 1;
  }
  return { wrong, hasFound: false, unseen };
}
