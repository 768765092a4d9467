import { parentPort } from "node:worker_threads";
import { compileText } from "#app/language-service";
import { type Compiled, compileDocument, createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { flatSteps, lower, type SpmdProgram } from "#core/program";
import { type StepFaultKind, stepFaults, whyUndetectable } from "#execute/engine";
import { coverWords, type PlanResult, type RunOptions, runPlan, trialsOf } from "#execute/verify";
import { splitTexts } from "#language/texts";
import { readDocument } from "#systems";
import { cutAtRandom } from "./cut-at-random.ts";

/** Outcome of one fault: found, unable to show for a stated reason, or missed. */
export type FaultFate = "found" | "cannot show" | "shows nothing here" | "missed";

/** Faults of one kind in one program. */
export interface FaultTally {
  readonly how: StepFaultKind;
  readonly fates: Readonly<Record<FaultFate, number>>;
  /** Distinct reasons why some have no effect on these numbers. */
  readonly whys: readonly string[];
}

/** Outcome of a program. */
export interface Proof {
  readonly kind: "equal" | "different" | "as told" | "refused" | "late";
  /** The part of the program that ran, or why it did not. */
  readonly why: string;
  /** Codes of the other diagnostics. */
  readonly notes: readonly string[];
  readonly faults: readonly FaultTally[];
  /** The largest absolute value of a tensor. */
  readonly peak: number;
  /** Names of the tensors that are 0 everywhere, and the number of all tensors. */
  readonly zeros: readonly [zero: readonly string[], all: number];
  readonly seconds: number;
}

/**
 * Time limit (s) of a run that is repeated with faults; faults of a longer one are only evaluated
 * on its recorded numbers.
 */
const mostSecondsAgain = 4;

const nothing = { notes: [], faults: [], peak: 0, zeros: [[], 0] } as const;

parentPort?.on("message", (text: string) => {
  const started = performance.now();
  const proof = proofOf(text);
  parentPort?.postMessage({ ...proof, seconds: (performance.now() - started) / 1000 });
});

function proofOf(text: string): Omit<Proof, "seconds"> {
  const isTwo = splitTexts(text) !== undefined;
  const document = readDocument(isTwo ? "" : text);
  const compiled = isTwo ? compileText(text) : compileDocument(document);
  const { diagnostics } = compiled;
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (hasErrors(diagnostics)) return { ...nothing, kind: "refused", why: error?.message ?? "" };
  if (compiled.graph.operators.length === 0)
    return { ...nothing, kind: "refused", why: "no operators" };
  const { plan, program, isOwn } = planOf(compiled);
  const { traceBody } = document;
  const options = { seed: 1, values: "integers", traceBody, systems: createSystemSteps() } as const;
  const started = performance.now();
  const run = runPlan(plan, program, options);
  const seconds = (performance.now() - started) / 1000;
  if (!run.ok) return { ...nothing, kind: "refused", why: run.diagnostics.at(-1)?.message ?? "" };
  const { first, shrunk, covered, ran } = run.value;
  const isDifferent = first !== undefined;
  const own = isOwn ? "" : "cut at random; ";
  const cover = `${own}${coverWords(program, shrunk, covered) ?? "all of it"}`;
  const where = `${first?.tensor} at ${first?.index} on device ${first?.device}: ${first?.got} for ${first?.want}`;
  const wholes = [...ran.wanted].map(([id, { values }]) => ({ id, values }));
  const zero = wholes.filter(
    ({ values }) => values.length > 0 && values.every((each) => each === 0),
  );
  return {
    kind: isDifferent ? (runsAlone(program) ? "as told" : "different") : "equal",
    why: isDifferent ? `${where} (${cover})` : cover,
    notes: [...new Set(run.diagnostics.map(({ code }) => code))],
    faults: isDifferent ? [] : faultsIn(run.value, seconds > mostSecondsAgain ? undefined : rerun),
    peak: peakOf(wholes),
    zeros: [zero.map(({ id }) => id), wholes.length],
  };
  function rerun(sabotage: NonNullable<RunOptions["sabotage"]>): boolean | undefined {
    const broken = runPlan(plan, program, { ...options, sabotage });
    return broken.ok ? !broken.value.equal : undefined;
  }
}

/** The plan of a text; if it has no communication, a random plan that has some. */
function planOf({ graph, plan, program }: Pick<Compiled, "graph" | "plan" | "program">) {
  const sends = flatSteps(program).some(
    (step) => step.kind === "collective" && step.collective !== "slice",
  );
  if (
    sends ||
    graph.operators.some(({ entry, points }) => entry === undefined && points !== undefined)
  )
    return { plan, program, isOwn: true };
  const { devices } = plan.mesh;
  const mesh = devices.length > 1 && devices.length <= mostDevices ? plan.mesh : four;
  const random = cutAtRandom(graph, mesh);
  return { plan: random.plan, program: lower(random.graph, random.plan), isOwn: false };
}

/** Most devices on which a program is cut at random; reduced sizes do not suit more. */
const mostDevices = 8;

const four: DeviceMesh = {
  axes: [
    { name: "p", size: 2 },
    { name: "q", size: 2 },
  ],
  devices: [0, 1, 2, 3],
};

function peakOf(wholes: readonly { readonly values: Float64Array }[]): number {
  let peak = 0;
  for (const { values } of wholes)
    for (const each of values) if (Number.isFinite(each)) peak = Math.max(peak, Math.abs(each));
  return peak;
}

/**
 * Evaluates every fault of every collective that ran, on the numbers before it. One fault of each
 * kind is also injected into a run of its own, which must agree, if runs are short.
 */
function faultsIn(
  { ran }: PlanResult,
  isFound:
    | ((fault: { readonly step: number; readonly how: StepFaultKind }) => boolean | undefined)
    | undefined,
): readonly FaultTally[] {
  const steps = flatSteps(ran.program).flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [{ step, at }] : [],
  );
  const tallies = new Map(
    stepFaults.map((how) => [how, { fates: none(), whys: new Set<string>() }]),
  );
  const again = new Map<StepFaultKind, { readonly at: number; readonly shows: boolean }>();
  for (const { step, at } of steps) {
    const trial = trialsOf(ran, at);
    for (const [how, { fates, whys }] of tallies) {
      const tried = trial(how);
      if (tried.kind === "same") whys.add(tried.why);
      const isKnown = whyUndetectable(ran.program, step, how) !== undefined;
      if (tried.kind === "shows") fates.found += 1;
      else if (tried.kind === "unknown") fates.missed += 1;
      else fates[isKnown ? "cannot show" : "shows nothing here"] += 1;
      const shows = tried.kind === "shows";
      if (again.get(how)?.shows !== true) again.set(how, { at, shows });
    }
  }
  for (const [how, { at, shows }] of again) {
    const step = ran.match === undefined ? at : ran.match.toWhole(at);
    const tally = tallies.get(how);
    if (isFound === undefined || step === undefined || tally === undefined) continue;
    if (isFound({ step, how }) === shows) continue;
    tally.fates.missed += 1;
    tally.whys.add(`a run with it says otherwise, at step ${step}`);
  }
  return [...tallies].map(([how, { fates, whys }]) => ({ how, fates, whys: [...whys] }));
}

function none(): Record<FaultFate, number> {
  return { found: 0, "cannot show": 0, "shows nothing here": 0, missed: 0 };
}

/** Whether every device runs some operator as if its blocks were whole tensors. */
function runsAlone(program: SpmdProgram): boolean {
  return flatSteps(program).some(
    (step) => step.kind === "local" && step.unverified?.isAlone === true,
  );
}
