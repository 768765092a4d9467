import { type Checked, failed, passed } from "#core/diagnostics";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import { atStep, type Cancel, type Engine, type InjectedFault } from "#execute/engine";
import {
  matchSteps,
  type StepKindCoverage,
  type StepMatch,
  stepKindCoverage,
} from "#execute/smaller";
import { type Checking, onCpu, onEngine } from "./checking.ts";
import { fewerRuns, ranInFewer } from "./fewer-runs.ts";
import { type ProgramReduction, shrunkSizes, wholeCost } from "./program-reduction.ts";
import { type ResolvedBodies, resolveBodies } from "./resolve-bodies.ts";
import { excessOf, mostAtOnce, mostOnSmaller } from "./run-limits.ts";
import { otherStep, reducedSizes, wouldFit } from "./run-notes.ts";
import { type CheckOptions, optionsOn, type RunOptions, type RunResult } from "./run-options.ts";
import { checkResolved } from "./run-program.ts";
import { totalWork, workOf } from "./run-work.ts";
import { loweredAgain, type SmallerRun, smallerRun } from "./smaller-run.ts";
import { unrunnable } from "./unrunnable.ts";

/** The result of running a plan, with the part of the plan that ran. */
export interface PlanResult extends RunResult {
  /**
   * The parts of the program that were left out or made smaller; absent if all of it ran unchanged.
   */
  readonly shrunk?: ProgramReduction;
  /** The number of kinds of step of the program that ran. */
  readonly covered: StepKindCoverage;
}

/**
 * Runs a plan on the CPU and compares it with the unsharded run. If its sizes are too large, the
 * plan is lowered again for fewer layers and smaller sizes; the result states this in `shrunk`.
 *
 * @param program the graph lowered under the plan
 */
export function runPlan(
  plan: Plan,
  program: SpmdProgram,
  options: RunOptions,
): Checked<PlanResult> {
  return onCpu(checkPlan(plan, program, { ...options, isSingle: false }));
}

/**
 * Runs a plan on any engine, see `runPlan`; rejects with the signal's reason once it is aborted.
 */
export function runPlanOn(
  engine: Engine,
  plan: Plan,
  program: SpmdProgram,
  options: RunOptions,
  signal?: Cancel,
): Promise<Checked<PlanResult>> {
  return onEngine(engine, checkPlan(plan, program, optionsOn(engine, options)), signal);
}

function* checkPlan(
  plan: Plan,
  first: SpmdProgram,
  options: CheckOptions,
): Checking<Checked<PlanResult>> {
  const program = atStep(first, options.optimizerStep ?? 1);
  const unknown = unrunnable(program);
  if (unknown.length > 0) return failed(...unknown);
  const chosen = chosenFor(plan, program, options);
  if (!chosen.ok) return chosen;
  const { program: ran, bodies, shrunk, mostWork } = chosen.value;
  const match = ran === program ? undefined : matchSteps(program, ran);
  const fault = faultOn(options.sabotage, match, ran);
  if (fault === "none") return failed(...chosen.diagnostics, otherStep(program, options));
  const { sabotage: _, ...rest } = options;
  const asked = { ...rest, mostWork, ...(fault !== undefined && { sabotage: fault }) };
  const run = yield* checkResolved(ran, asked, bodies);
  if (!run.ok) return run;
  const covered = stepKindCoverage(program, ran);
  const result = {
    ...run.value,
    ...(shrunk !== undefined && { shrunk }),
    covered,
    ran: { ...run.value.ran, ...(match !== undefined && { match }) },
  };
  return passed(result, [...chosen.diagnostics, ...run.diagnostics]);
}

/** The program that runs in place of the requested one, and its limits. */
interface Chosen {
  readonly program: SpmdProgram;
  readonly bodies: ResolvedBodies;
  readonly shrunk?: ProgramReduction;
  readonly mostWork: number;
}

/** The program itself if it is small enough, otherwise a smaller version. */
function chosenFor(plan: Plan, program: SpmdProgram, options: CheckOptions): Checked<Chosen> {
  const { mostWork = mostAtOnce } = options;
  const bodies = resolveBodies(program.graph, options.traceBody);
  const work = workOf(program, bodies);
  const isOwn = options.sizes === "own";
  const excess = excessOf(work, options);
  const itself = { program, bodies, mostWork };
  const fewer = fewerRuns(plan.microbatches, program.devices.length);
  const isSmall = fewer === undefined && totalWork(work) <= mostAtOnce;
  if (excess === undefined && (isOwn || isSmall)) return passed(itself);
  const smaller = onLess(plan, program, options);
  if (isOwn || smaller === undefined) {
    if (excess === undefined) return passed(itself);
    const fit = smaller && wouldFit(program.graph, smaller.program.graph);
    return failed(excess, ...(fit === undefined ? [] : [fit]));
  }
  const { before, layers } = smaller;
  const shrunk: ProgramReduction = {
    ...(layers !== undefined && { layers }),
    ...(fewer !== undefined && {
      microbatches: { kept: fewer.count, of: program.microbatches?.count ?? 1 },
    }),
    sizes: shrunkSizes(before, smaller.program.graph),
    whole: wholeCost(work),
  };
  const most = Math.max(mostWork, mostOnSmaller);
  return passed({ program: smaller.program, bodies: smaller.bodies, shrunk, mostWork: most }, [
    ...(fewer === undefined ? [] : [ranInFewer(fewer, program.microbatches?.count ?? 1)]),
    ...(smaller.program.graph === program.graph
      ? []
      : [reducedSizes(before, smaller.program.graph, layers)]),
  ]);
}

/**
 * The plan in fewer micro-batches, then on fewer layers, then on smaller sizes, as far as
 * necessary.
 */
function onLess(plan: Plan, program: SpmdProgram, options: CheckOptions): SmallerRun | undefined {
  const fewer = fewerRuns(plan.microbatches, program.devices.length);
  if (fewer === undefined) return smallerRun(plan, program, options);
  const less = { ...plan, microbatches: fewer };
  const inFewer = loweredAgain(less, program.graph, program, options);
  const bodies = resolveBodies(program.graph, options.traceBody);
  if (totalWork(workOf(inFewer, bodies)) <= mostAtOnce)
    return { program: inFewer, bodies, before: program.graph };
  return smallerRun(less, inFewer, options) ?? { program: inFewer, bodies, before: program.graph };
}

/** Fault with its step index in the smaller program; `none` if that has no corresponding step. */
function faultOn(
  sabotage: InjectedFault | undefined,
  match: StepMatch | undefined,
  program: SpmdProgram,
): InjectedFault | "none" | undefined {
  if (sabotage === undefined || match === undefined) return sabotage;
  if (sabotage.how === "cut") {
    const isThere = program.graph.tensors.some(({ id }) => id === sabotage.tensor);
    return isThere ? sabotage : "none";
  }
  const step = match.toAlike(sabotage.step);
  return step === undefined ? "none" : { ...sabotage, step };
}
