import { planQuestion } from "#compile";
import { plainModel } from "#core/cost";
import { type OptimizeOutcome, optimize, PlannerMemory, type PlanRequest } from "#planner";
import { readDocument } from "#systems";
import { loadSolver } from "../src/planner/highs.testing.ts";
import { networkOf } from "../src/planner/network.ts";
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

/** Searches for the fastest plan, from nothing, after a pin and where memory binds. */
export const planMeasures: readonly Measure[] = [
  planning("plan: 96 layers of GPT-3 on 8 devices, one axis", 0.5, gpt3Step("tp=8")),
  planning("plan: 96 layers of GPT-3 on 8×4", 0.5, gpt3Step("dp=8, tp=4")),
  planning("plan: 96 layers of GPT-3 on 8×4×4", 0.5, gpt3Step("dp=8, tp=4, pp=4")),
  afterPin("plan: the same after a pin", 0.1, gpt3Step("dp=8, tp=4, pp=4")),
  withinMemory("plan: the same within half the memory", 1.5, gpt3Step("dp=8, tp=4, pp=4")),
  planningByOwn("plan: 96 layers of GPT-3 on 8×4, by our own costs", 5, gpt3Step("dp=8, tp=4")),
  planning("plan: Llama of 70 billion on 8×8×8", 1, llamaStep("a=8, b=8, c=8", 70)),
  planning("plan: Llama of 405 billion on 8×8×8", 1, llamaStep("a=8, b=8, c=8", 405)),
  planning("plan: 32 layers of experts on 8×8", 0.5, expertsStep("dp=8, ep=8")),
  planning("plan: T5 of 24 and 24 layers on 8×8", 0.5, t5Step("dp=8, tp=8")),
  planning("plan: a U-Net of four levels on 8×4", 0.5, unetStep("dp=8, tp=4")),
  planning("plan: 5 000 operators at random on 8×4", 2, randomStep("dp=8, tp=4", 5000)),
  ...besideHighs(gpt3Step("tp=8", 2)),
];

function planning(name: string, aimSeconds: number, text: string): Measure {
  const request = requestOf(text);
  return { name, aimSeconds, runs: often(() => checkProven(optimize(request))) };
}

/** Each time another operator is pinned; all else is known. */
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

/** The same small program solved by HiGHS as a mixed-integer program, and by the planner. */
function besideHighs(text: string): readonly Measure[] {
  const request = requestOf(text);
  const solved = () => {
    if (solveOther(networkOf(request)).kind !== "found") throw new Error("HiGHS found no plan");
  };
  return [
    {
      name: "plan: two layers on one axis by HiGHS",
      aimSeconds: 5,
      runs: [solved, solved, solved],
    },
    planning("plan: two layers on one axis", 0.1, text),
  ];
}

/** Sums in another order differ by less than this part. */
const rounding = 1e-9;

function checkProven(found: OptimizeOutcome): void {
  if (!found.ok) throw new Error(found.diagnostic.message);
  const { bound, seconds } = found.value;
  if (bound < seconds * (1 - rounding)) throw new Error("not proven");
}

/** The same under the product's own costs. */
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
