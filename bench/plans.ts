import { plainModel } from "#core/cost";
import { planQuestion } from "#edit";
import { type OptimizeOutcome, optimize, PlannerMemory, type PlanRequest } from "#planner";
import { readDocument } from "#systems";
import { loadSolver } from "../src/planner/highs.testing.ts";
import { evaluate, type Network, networkOf } from "../src/planner/network.ts";
import { solve } from "../src/planner/solve.ts";
import { type Measure, often } from "./measure.ts";
import {
  expertsStep,
  gpt3Step,
  llamaStep,
  randomStep,
  t5Step,
  unetStep,
} from "./planned-programs.ts";

const solveOther = await loadSolver();

/** Searches for the fastest plan: from scratch, after a pin, and under a memory limit. */
export const planMeasures: readonly Measure[] = [
  planning("plan: 96 layers of GPT-3 on 8×4", 0.5, gpt3Step("dp=8, tp=4")),
  planning("plan: 96 layers of GPT-3 on 8×4×4", 0.5, gpt3Step("dp=8, tp=4, pp=4")),
  afterPin("plan: the same after a pin", 0.1, gpt3Step("dp=8, tp=4, pp=4")),
  withinMemory("plan: the same within half the memory", 1.5, gpt3Step("dp=8, tp=4, pp=4")),
  planningByOwn("plan: 96 layers of GPT-3 on 8×4, by our own costs", 5, gpt3Step("dp=8, tp=4")),
  planningByOwn("plan: the same on 4×2×2, by our own costs", 5, gpt3Step("dp=4, tp=2, pp=2")),
  planning("plan: Llama of 70 billion on 8×8×8", 1, llamaStep("a=8, b=8, c=8", 70)),
  planning("plan: Llama of 405 billion on 8×8×8", 1, llamaStep("a=8, b=8, c=8", 405)),
  planning("plan: 32 layers of experts on 8×8", 0.5, expertsStep("dp=8, ep=8")),
  planning("plan: T5 of 24 and 24 layers on 8×8", 0.5, t5Step("dp=8, tp=8")),
  planning("plan: a U-Net of four levels on 8×4", 0.5, unetStep("dp=8, tp=4")),
  planning("plan: 5 000 operators at random on 8×4", 2, randomStep("dp=8, tp=4", 5000)),
  ...besideHighs("96 layers of GPT-3 on 8 devices", 0.5, gpt3Step("tp=8")),
  ...besideHighs("Llama of 70 billion on 8 devices", 0.5, llamaStep("a=8", 70)),
  ...besideHighs("32 layers of experts on 8 devices", 0.5, expertsStep("ep=8")),
  ...besideHighs("T5 of 24 and 24 layers on 8 devices", 0.5, t5Step("tp=8")),
  ...besideHighs("a U-Net of four levels on 8×4", 0.5, unetStep("dp=8, tp=4")),
  ...besideHighs("5 000 operators at random on 8 devices", 2, randomStep("dp=8", 5000)),
];

function planning(name: string, aimSeconds: number, text: string): Measure {
  const request = requestOf(text);
  return { name, aimSeconds, runs: often(() => checkProven(optimize(request))) };
}

/** Plans with another operator pinned each time; everything else is cached. */
function afterPin(name: string, aimSeconds: number, text: string): Measure {
  const request = requestOf(text);
  const memory = new PlannerMemory();
  const runs = request.graph.operators
    .filter(({ op }) => op === "gelu")
    .slice(0, 7)
    .map(({ id }) => {
      const pins = new Map([[id, { cuts: {}, carry: [] }]]);
      return () => checkProven(optimize({ ...request, pins }, { memory }));
    });
  return { name, aimSeconds, warmUp: 2, runs };
}

function withinMemory(name: string, aimSeconds: number, text: string): Measure {
  const request = requestOf(text);
  const free = optimize(request);
  if (!free.ok) throw new Error(free.diagnostic.message);
  const memoryLimit = free.value.bytes / 2;
  const run = () => {
    const found = optimize({ ...request, memoryLimit });
    if (!found.ok || found.value.bound < 0.99 * found.value.seconds) throw new Error("a wide gap");
  };
  return { name, aimSeconds, runs: often(run) };
}

/**
 * The same problem solved by HiGHS as a mixed-integer program, and by the planner from scratch. It
 * has one axis and a small graph, since HiGHS does not finish in minutes if an attention layer is
 * cut along two. Both plans must have the same cost by the planner's definition.
 */
function besideHighs(name: string, aimSeconds: number, text: string): readonly Measure[] {
  const request = requestOf(text);
  let least: number | undefined;
  /** The first call is a warm-up: it also finds the expected cost of HiGHS's plan. */
  const byHighs = () => {
    const network = networkOf(request);
    least ??= leastSeconds(network);
    const theirs = solveOther(network);
    if (theirs.kind !== "found") throw new Error("HiGHS found no plan");
    const { seconds } = evaluate(network, theirs.plan);
    if (Math.abs(seconds - least) > 1e-6 * seconds)
      throw new Error("HiGHS's plan costs another sum");
  };
  return [
    { name: `plan: ${name}, by HiGHS`, aimSeconds: 10, warmUp: 1, runs: [byHighs] },
    planning(`plan: ${name}, by the planner`, aimSeconds, text),
  ];
}

function leastSeconds(network: Network): number {
  const ours = solve(network, undefined);
  if (ours.kind !== "found") throw new Error("the planner found no plan");
  return ours.found.seconds;
}

/** Relative difference below which sums in different orders are equal. */
const rounding = 1e-9;

function checkProven(found: OptimizeOutcome): void {
  if (!found.ok) throw new Error(found.diagnostic.message);
  const { bound, seconds } = found.value;
  if (bound < seconds * (1 - rounding)) throw new Error("not proven");
}

/** A search under the program's own cost model. */
function planningByOwn(name: string, aimSeconds: number, text: string): Measure {
  const request = ownRequestOf(text);
  return { name, aimSeconds, runs: often(() => checkProven(optimize(request))) };
}

function requestOf(text: string): PlanRequest {
  const request = ownRequestOf(text);
  return { ...request, model: plainModel(request.hardware) };
}

function ownRequestOf(text: string): PlanRequest {
  const document = readDocument(text);
  const { training, ...question } = planQuestion(document, { freesPlaces: true });
  return { ...question, ends: new Map(), ...(training !== undefined && { training }) };
}
