import { type Checked, failed, passed } from "#core/diagnostics";
import type { Graph, OperatorId, TensorId, TraceBody } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import { createPlanMemory, isProjected, type Plan, type ReshardRequest } from "#core/plan";
import { flatSteps, lower, type SpmdProgram, type SystemReshard, type Value } from "#core/program";
import { createReshardPlanner } from "#core/reshard";
import { runCpu } from "#execute/cpu";
import type { Engine, EngineTask, HeldValues, Leaves, Sabotage } from "#execute/engine";
import {
  type Arithmetic,
  drawLeaves,
  type IntegerDraw,
  type ReferenceRun,
  runReference,
  type ValueKind,
} from "#execute/reference";
import { compareValue, type Difference } from "./compare.ts";
import { fewerRuns, ranInFewer } from "./fewer-runs.ts";
import { type ResolvedBodies, resolveBodies } from "./resolve-bodies.ts";
import {
  assumedBody,
  assumedGradients,
  foundOnFloats,
  inexact,
  otherStep,
  reducedSizes,
  tooLarge,
} from "./run-notes.ts";
import { pointsIn, type RunWork, totalWork, workOf } from "./run-work.ts";
import { runsAtOnce } from "./runs-at-once.ts";
import { scaleDown } from "./scale-down.ts";
import { unrunnable } from "./unrunnable.ts";

/**
 * What to run a program on, and which fault to put in: steps are counted written out, those of
 * micro-batches once, and a fault in one of them is there in every run.
 */
export interface RunOptions {
  readonly seed: number;
  readonly values: ValueKind;
  readonly sabotage?: Sabotage;
  /** Runs the bodies of registered functions; without it they run as products. */
  readonly traceBody?: TraceBody;
  /** Other systems' own steps, where the plan chooses them and the run needs smaller sizes. */
  readonly systems?: SystemReshard;
  /** Called as each part of the run begins, so that a long one can say how far it is. */
  readonly onPart?: (part: RunPart) => void;
}

interface CheckOptions extends RunOptions {
  /** Whether the engine computes in singles. */
  readonly isSingle: boolean;
}

/** The parts of a run, in order: unsharded, on every device, both compared. */
export type RunPart = "reference" | "devices" | "comparison";

/** One tensor of the program against the reference: the worst of all values that hold it. */
export interface TensorResult {
  readonly tensor: TensorId;
  readonly name: string;
  readonly equal: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
}

/** What a run of the per-device program says of the program. */
export interface RunResult {
  readonly equal: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  readonly tensors: readonly TensorResult[];
  /** The first element that is wrong, in program order. */
  readonly first?: {
    readonly tensor: string;
    readonly device: DeviceId;
    readonly index: readonly number[];
    readonly got: number;
    readonly want: number;
  };
}

/** Integers of a double are exact up to here; a sum of such terms is the same in every order. */
const largestExact = 2 ** 53;

/** The same for a single. */
const largestSingle = 2 ** 24;

/** How integers are drawn; sparser ones are tried where sums grow too large. */
const draws: readonly IntegerDraw[] = [
  { range: 3, density: 1 },
  { range: 1, density: 1 },
  { range: 1, density: 0.25 },
];

/** What a run may take, in points; a page waits about a second for it. */
const mostWork = 10_000_000;

/** Points that a run on reduced sizes should not pass. */
const enoughPoints = 1_000_000;

/** The same for the smallest sizes that there are. */
const mostOnSmallest = 2_000_000;

/** A check asks for runs of per-device programs, and goes on with what devices then hold. */
type Checking<Result> = Generator<EngineTask, Result, HeldValues>;

/**
 * Runs a graph under a plan. Where its sizes are too large to be checked at once, the same plan is
 * lowered for smaller ones (`scaleDown`), and a note says so.
 *
 * @param program the graph lowered under the plan
 */
export function runPlan(plan: Plan, program: SpmdProgram, options: RunOptions): Checked<RunResult> {
  return onCpu(checkPlan(plan, program, { ...options, isSingle: false }));
}

/** The same on any engine. */
export function runPlanOn(
  engine: Engine,
  plan: Plan,
  program: SpmdProgram,
  options: RunOptions,
): Promise<Checked<RunResult>> {
  return onEngine(engine, checkPlan(plan, program, { ...options, isSingle: engine.isSingle }));
}

function onCpu<Result>(checking: Checking<Result>): Result {
  let next = checking.next();
  while (next.done !== true) {
    const { program, leaves, settings } = next.value;
    const inputs = new Map([...leaves].map(([id, { values }]) => [id, values]));
    next = checking.next(runCpu(program, inputs, settings));
  }
  return next.value;
}

async function onEngine<Result>(engine: Engine, checking: Checking<Result>): Promise<Result> {
  let next = checking.next();
  while (next.done !== true) {
    const { held } = await engine.run(next.value);
    next = checking.next(held);
  }
  return next.value;
}

function* checkPlan(
  plan: Plan,
  program: SpmdProgram,
  options: CheckOptions,
): Checking<Checked<RunResult>> {
  const unknown = unrunnable(program);
  if (unknown.length > 0) return failed(...unknown);
  const fewer = fewerRuns(plan.microbatches, program.devices.length);
  if (fewer !== undefined) {
    return yield* checkInFewer({ ...plan, microbatches: fewer }, program, options);
  }
  const bodies = resolveBodies(program.graph, options.traceBody);
  const work = workOf(program, bodies);
  if (totalWork(work) <= mostWork) return yield* checkResolved(program, options, bodies);
  if (hasExplicitPieces(plan) || program.graph.operators.some(isProjected)) {
    return failed(tooLarge(work));
  }
  const count = plan.mesh.devices.length * (plan.microbatches?.count ?? 1);
  const graph = smallerGraph(program.graph, count, options);
  if (graph === undefined || !areBlocksFew(work)) return failed(tooLarge(work));
  const smaller = loweredAgain(plan, graph, program, options);
  const smallerBodies = resolveBodies(graph, options.traceBody);
  const run = yield* checkResolved(smaller, options, smallerBodies);
  const note = reducedSizes(program.graph, graph);
  const at = options.sabotage?.step;
  if (at !== undefined && kindOf(smaller, at) !== kindOf(program, at))
    return failed(note, otherStep(at));
  return run.ok ? passed(run.value, [note, ...run.diagnostics]) : run;
}

/** The same plan with fewer micro-batches than the program has. */
function* checkInFewer(
  plan: Plan & Required<Pick<Plan, "microbatches">>,
  program: SpmdProgram,
  options: CheckOptions,
): Checking<Checked<RunResult>> {
  const fewer = loweredAgain(plan, program.graph, program, options);
  const note = ranInFewer(plan.microbatches, program.microbatches?.count ?? 1);
  const at = options.sabotage?.step;
  if (at !== undefined && kindOf(fewer, at) !== kindOf(program, at))
    return failed(note, otherStep(at));
  const run = yield* checkPlan(plan, fewer, options);
  return run.ok ? passed(run.value, [note, ...run.diagnostics]) : run;
}

/** A graph under the plan of a program, with the steps that its redistributions take. */
function loweredAgain(
  plan: Plan,
  graph: Graph,
  program: SpmdProgram,
  { systems }: RunOptions,
): SpmdProgram {
  const same = { ...plan, reshards: stepsOf(program) };
  return lower(graph, same, createReshardPlanner(), createPlanMemory(), systems);
}

/** Whether smaller sizes can help at all: they leave the devices, and who talks with whom. */
function areBlocksFew({ blocks, messages }: RunWork): boolean {
  return totalWork({ points: 0, elements: 0, joined: 0, blocks, messages }) <= mostWork;
}

/** The steps that the redistributions of a program take, as requests that choose the same again. */
function stepsOf({
  graph,
  values,
  redistributions,
  stages,
}: SpmdProgram): readonly ReshardRequest[] {
  const names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const layouts = new Map(values.map(({ id, layout }) => [id, layout]));
  const counts = new Map<number, number>();
  for (const step of stages.flatMap(({ steps }) => steps)) {
    if (step.kind !== "collective" || step.collective === "slice") continue;
    counts.set(step.reshard, (counts.get(step.reshard) ?? 0) + 1);
  }
  return redistributions.flatMap(({ index, tensor, output, chosen }) => {
    const [target, to] = [names.get(tensor), layouts.get(output)];
    if (target === undefined || to === undefined) return [];
    const isFollowed = chosen !== undefined && chosen.declined === undefined;
    return [{ target, to, steps: isFollowed ? chosen.steps : (counts.get(index) ?? 0) }];
  });
}

/**
 * The graph on sizes that can be checked. Its functions still run there: one whose body takes no
 * smaller sizes keeps those that it has.
 */
function smallerGraph(graph: Graph, count: number, { traceBody }: RunOptions): Graph | undefined {
  const whole = resolveBodies(graph, traceBody);
  const functions = graph.operators.filter((each) => whole.whole(each) !== undefined);
  for (const factor of [4, 2, 1]) {
    const pinned = new Set<OperatorId>();
    for (;;) {
      const smaller = scaleDown(graph, count, factor * count, pinned);
      const bodies = resolveBodies(smaller, traceBody);
      const failing = functions.filter(({ id }) => !pinned.has(id) && !bodies.has(id));
      const most = factor === 1 ? mostOnSmallest : enoughPoints;
      if (failing.length === 0 && pointsIn(smaller, bodies) <= most) return smaller;
      if (failing.length === 0) break;
      for (const { id } of failing) pinned.add(id);
    }
  }
  return undefined;
}

/** Pieces of written lengths do not fit other sizes. */
function hasExplicitPieces({ placements }: Plan): boolean {
  const layouts = [...placements.values()].map(({ layout }) => layout);
  return layouts.some(({ dims }) => dims.some(({ sizes }) => sizes !== undefined));
}

function kindOf(program: SpmdProgram, at: number): string | undefined {
  const step = program.stages.flatMap((stage) => stage.steps)[at];
  return step?.kind === "collective" ? step.collective : step?.kind;
}

/**
 * Runs a per-device program and its graph unsharded on the same seeded values, and compares every
 * tensor on every device: bit for bit on integers, within the derived bound on floats. Integers
 * that outgrow a double and differ give way to floats, and a note says so.
 *
 * With `integers`, functions that leave the integers are replaced by stand-ins in both runs, so a
 * difference is always one of the plan or of the data's way. Sizes beyond what can be checked at
 * once are refused: write smaller ones.
 */
export function runProgram(program: SpmdProgram, options: RunOptions): Checked<RunResult> {
  return runResolved(program, options, resolveBodies(program.graph, options.traceBody));
}

/** The same on any engine. */
export function runProgramOn(
  engine: Engine,
  program: SpmdProgram,
  options: RunOptions,
): Promise<Checked<RunResult>> {
  const bodies = resolveBodies(program.graph, options.traceBody);
  const { isSingle } = engine;
  return onEngine(engine, checkResolved(program, { ...options, isSingle }, bodies));
}

/** The same with the bodies of registered functions traced before. */
export function runResolved(
  program: SpmdProgram,
  options: RunOptions,
  bodies: ResolvedBodies,
): Checked<RunResult> {
  return onCpu(checkResolved(program, { ...options, isSingle: false }, bodies));
}

function* checkResolved(
  program: SpmdProgram,
  options: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult>> {
  const { graph } = program;
  const work = workOf(program, bodies);
  if (totalWork(work) > mostWork) return failed(tooLarge(work));
  if (bodies.misfits.length > 0) return failed(...bodies.misfits);
  options.onPart?.("reference");
  const unsharded = referenceFor(program, options, bodies);
  if (unsharded === undefined) return yield* checkFloatsInstead(program, options, bodies);
  options.onPart?.("devices");
  const result = yield* checkDevices(program, options, bodies, unsharded);
  const { arithmetic, reference } = unsharded;
  const isRounded = arithmetic === "integers" && reference.peak > largestExact;
  if (isRounded && !result.equal) return yield* checkFloatsInstead(program, options, bodies);
  if (options.values === "integers" && result.equal && hasBodies(graph, bodies)) {
    const floats = yield* checkFloats(program, options, bodies);
    if (floats !== undefined) return floats;
  }
  return passed(result, [
    ...reference.assumed.map((operator) => assumedBody(operator, bodies.reasonOf(operator))),
    ...bodies.faults().map(({ diagnostic }) => diagnostic),
    ...assumedGradients(graph, bodies),
  ]);
}

/** The per-device program on values, against the reference; micro-batches side by side. */
function* checkDevices(
  program: SpmdProgram,
  { sabotage, onPart }: CheckOptions,
  bodies: ResolvedBodies,
  { leaves, arithmetic, reference }: Unsharded,
): Checking<RunResult> {
  const { microbatches } = program;
  const atOnce = microbatches && runsAtOnce(program, microbatches);
  const ran = atOnce?.program ?? program;
  const place = sabotage && (atOnce?.placeOf(sabotage.step) ?? sabotage.step);
  const broken = sabotage && place !== undefined && { sabotage: { ...sabotage, step: place } };
  const settings = { values: arithmetic, ...broken, bodies };
  const run = yield { program: ran, leaves, settings };
  onPart?.("comparison");
  const { first, ...result } = compared(ran, run, reference, arithmetic === "words");
  if (first === undefined) return result;
  return { ...result, first: { ...first, device: atOnce?.deviceOf(first.device) ?? first.device } };
}

/** Integers that are rounded differ by the order of their sums: floats have a bound for that. */
function* checkFloatsInstead(
  program: SpmdProgram,
  options: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult>> {
  const run = yield* checkResolved(program, { ...options, values: "floats" }, bodies);
  return run.ok ? passed(run.value, [...run.diagnostics, inexact()]) : run;
}

function hasBodies({ operators }: Graph, { whole }: ResolvedBodies): boolean {
  return operators.some((operator) => whole(operator) !== undefined);
}

/**
 * The same run on floats, if they differ: the stand-ins for functions that leave the integers may
 * be linear where a function of the program is not, and hide what its annotation gets wrong.
 */
function* checkFloats(
  program: SpmdProgram,
  { onPart: _, ...options }: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult> | undefined> {
  const run = yield* checkResolved(program, { ...options, values: "floats" }, bodies);
  return run.ok && !run.value.equal
    ? passed(run.value, [...run.diagnostics, foundOnFloats()])
    : undefined;
}

/** Whether contributions that wrap around combine to what wraps around: sums do, and extremes. */
function wraps({ layout }: Value): boolean {
  return layout.partials.every(({ reduce }) => reduce !== "avg" && reduce !== "prod");
}

/** What a program computes unsharded, from which numbers, and how they are computed with. */
interface Unsharded {
  readonly leaves: Leaves;
  readonly arithmetic: Arithmetic;
  readonly reference: ReferenceRun;
}

/**
 * The reference on integers that stay exact, or on floats. An engine of singles takes words, which
 * wrap around, where integers outgrow a single; one of doubles tries sparser integers first. Nothing
 * where only floats can be compared.
 */
function referenceFor(
  { graph, values: held }: SpmdProgram,
  { seed, values, isSingle }: CheckOptions,
  { whole }: ResolvedBodies,
): Unsharded | undefined {
  const runOn = (arithmetic: Arithmetic, draw?: IntegerDraw): Unsharded => {
    const leaves = drawLeaves(graph, seed, values, draw, whole);
    const inputs = new Map([...leaves].map(([id, leaf]) => [id, leaf.values]));
    return { leaves, arithmetic, reference: runReference(graph, inputs, arithmetic, whole) };
  };
  if (values === "floats") return runOn(isSingle ? "singles" : "floats");
  const [first, ...sparser] = draws;
  let run = runOn("integers", first);
  if (isSingle) {
    if (run.reference.peak <= largestSingle) return run;
    return held.every(wraps) ? runOn("words", first) : undefined;
  }
  for (const draw of sparser) {
    if (run.reference.peak <= largestExact) break;
    run = runOn("integers", draw);
  }
  return run;
}

function compared(
  program: SpmdProgram,
  run: HeldValues,
  reference: ReferenceRun,
  isWrapped: boolean,
): RunResult {
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const found = new Map<TensorId, Difference[]>();
  let first: RunResult["first"];
  for (const value of inOrder(program)) {
    const { id, tensor } = value;
    const [blocks, whole] = [run.get(id), reference.tensors.get(tensor)];
    if (blocks === undefined || whole === undefined) continue;
    const difference = compareValue(value, blocks, whole, isWrapped);
    found.set(tensor, [...(found.get(tensor) ?? []), difference]);
    if (difference.first !== undefined) {
      first ??= { tensor: names.get(tensor) ?? tensor, ...difference.first };
    }
  }
  const tensors = [...found].map(([tensor, differences]) =>
    tensorResult(tensor, names.get(tensor) ?? tensor, differences),
  );
  return {
    equal: first === undefined,
    maxAbsDiff: Math.max(0, ...tensors.map(({ maxAbsDiff }) => maxAbsDiff)),
    maxRelDiff: Math.max(0, ...tensors.map(({ maxRelDiff }) => maxRelDiff)),
    tensors,
    ...(first !== undefined && { first }),
  };
}

/** Values in the order in which the program makes them; what no step makes comes first. */
function inOrder(program: SpmdProgram) {
  const made = flatSteps(program).flatMap((step) =>
    step.kind === "local" ? step.outputs : [step.output],
  );
  const rank = new Map(made.map((id, at) => [id, at]));
  return [...program.values].sort((a, b) => (rank.get(a.id) ?? -1) - (rank.get(b.id) ?? -1));
}

function tensorResult(
  tensor: TensorId,
  name: string,
  differences: readonly Difference[],
): TensorResult {
  return {
    tensor,
    name,
    equal: differences.every(({ first }) => first === undefined),
    maxAbsDiff: Math.max(0, ...differences.map(({ maxAbsDiff }) => maxAbsDiff)),
    maxRelDiff: Math.max(0, ...differences.map(({ maxRelDiff }) => maxRelDiff)),
  };
}
