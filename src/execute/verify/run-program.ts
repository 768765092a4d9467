import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { DType, Graph, TensorId } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import {
  type Engine,
  type InjectedFault,
  type Leaves,
  narrowDTypes,
  swapCuts,
} from "#execute/engine";
import { type Arithmetic, drawLeaves, largestExact, type ReferenceRun } from "#execute/reference";
import { type Checking, onCpu, onEngine } from "./checking.ts";
import { comparedRun, onDevices } from "./compare-run.ts";
import { leftBehind } from "./finished-run.ts";
import { followedRun } from "./followed-run.ts";
import { ownFaults, ownLeftAside } from "./own-numbers.ts";
import { ownRounding } from "./own-rounding.ts";
import { type ResolvedBodies, resolveBodies } from "./resolve-bodies.ts";
import { excessOf } from "./run-limits.ts";
import {
  allZeros,
  assumedBody,
  assumedGradients,
  foundOnFloats,
  inexact,
  noOtherCut,
  notRounded,
  onWords,
  tooLargeForType,
  unbounded,
} from "./run-notes.ts";
import { type CheckOptions, optionsOn, type RunOptions, type RunResult } from "./run-options.ts";
import { workOf } from "./run-work.ts";
import { type AtOnce, runsAtOnce } from "./runs-at-once.ts";
import { leavesFor, referenceFor } from "./unsharded.ts";

/**
 * Runs a per-device program and its graph unsharded on the same seeded values, and compares every
 * tensor on every device: bit for bit on integers, within the derived bound on floats. Integers
 * that outgrow a double become words of 32 bits; if words prove nothing, floats replace them. A
 * note tells which.
 *
 * With `integers`, functions that leave the integers are replaced by stand-ins in both runs, so a
 * difference is always one of the plan or of the data's way. Sizes beyond what can be checked at
 * once are refused: write smaller ones.
 * @internal
 */
export function runProgram(program: SpmdProgram, options: RunOptions): Checked<RunResult> {
  return runResolved(program, options, resolveBodies(program.graph, options.traceBody));
}

/** Runs a program as it is on any engine, without smaller sizes. */
export function runProgramOn(
  engine: Engine,
  program: SpmdProgram,
  options: RunOptions,
): Promise<Checked<RunResult>> {
  const bodies = resolveBodies(program.graph, options.traceBody);
  return onEngine(engine, checkResolved(program, optionsOn(engine, options), bodies));
}

/** `runProgramOn` with the bodies of registered functions traced before. */
export function runResolved(
  program: SpmdProgram,
  options: RunOptions,
  bodies: ResolvedBodies,
): Checked<RunResult> {
  return onCpu(checkResolved(program, { ...options, isSingle: false }, bodies));
}

export function* checkResolved(
  program: SpmdProgram,
  options: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult>> {
  const { graph } = program;
  const excess = excessOf(workOf(program, bodies), options);
  if (excess !== undefined) return failed(excess);
  if (bodies.misfits.length > 0) return failed(...bodies.misfits);
  const cannot = uncut(program, options.sabotage);
  if (cannot !== undefined) return failed(cannot);
  const { faults, notes } = ownNumbersOf(graph, options, bodies);
  if (faults.length > 0) return failed(...faults);
  const { leaves, arithmetic, reference } = numbersFor(program, options, bodies);
  if (arithmetic === undefined) return yield* checkFloatsInstead(program, options, bodies);
  options.onPart?.("devices");
  const given = { leaves, arithmetic, reference };
  const { result, unsharded, overflowed } = yield* checkDevices(program, options, bodies, given);
  const isRounded = arithmetic === "integers" && unsharded.peak > largestExact;
  if (isRounded && !result.equal) {
    result.ran.run.release?.();
    return yield* checkFloatsInstead(program, options, bodies);
  }
  if (options.values === "integers" && result.equal && hasBodies(graph, bodies)) {
    const floats = yield* checkFloats(program, options, bodies);
    if (floats !== undefined) {
      result.ran.run.release?.();
      return floats;
    }
  }
  return passed(result, [
    ...notes,
    ...(arithmetic === "words" ? [onWords(options.isSingle)] : []),
    ...unsharded.assumed.map((operator) => assumedBody(operator, bodies.reasonOf(operator))),
    ...bodies.faults().map(({ diagnostic }) => diagnostic),
    ...assumedGradients(graph, bodies),
    ...unbounded(graph, unsharded, overflowed),
    ...tooLargeForType(graph, overflowed),
    ...notRounded(graph, options),
    ...(result.equal ? allZeros(graph, unsharded.tensors) : []),
  ]);
}

/** Numbers of a run; without `arithmetic` integers cannot be compared. */
interface Numbers {
  readonly leaves: Leaves;
  readonly arithmetic: Arithmetic | undefined;
  /** The unsharded run; absent on floats, for which it follows the devices. */
  readonly reference: ReferenceRun | undefined;
}

function numbersFor(program: SpmdProgram, options: CheckOptions, bodies: ResolvedBodies): Numbers {
  if (options.values === "floats") {
    const arithmetic = options.isSingle ? "singles" : "floats";
    return { leaves: leavesFor(program, options, bodies), arithmetic, reference: undefined };
  }
  options.onPart?.("reference");
  const none = { leaves: new Map(), arithmetic: undefined, reference: undefined };
  return referenceFor(program, options, bodies) ?? none;
}

/** Faults and notes about the program's own numbers, if it has any. */
function ownNumbersOf(
  graph: Graph,
  options: CheckOptions,
  { whole }: ResolvedBodies,
): Record<"faults" | "notes", readonly Diagnostic[]> {
  const { own = [], seed, values } = options;
  if (own.length === 0) return { faults: [], notes: [] };
  const leaves = drawLeaves(graph, seed, values, undefined, whole);
  return {
    faults: ownFaults(graph, leaves, own, options),
    notes: ownLeftAside(graph, leaves, own),
  };
}

/** A run, and the unsharded run that it was compared with. */
interface ComparedRun {
  readonly result: RunResult;
  readonly unsharded: ReferenceRun;
  /** Elements per tensor that are too large for its element type. */
  readonly overflowed: ReadonlyMap<TensorId, number>;
}

/** The per-device program on values, against the unsharded run; micro-batches side by side. */
function* checkDevices(
  program: SpmdProgram,
  options: CheckOptions,
  bodies: ResolvedBodies,
  { leaves, arithmetic, reference }: Numbers & { readonly arithmetic: Arithmetic },
): Checking<ComparedRun> {
  const { sabotage, onPart } = options;
  const { microbatches } = program;
  const atOnce = microbatches && runsAtOnce(program, microbatches);
  const ran = atOnce?.program ?? program;
  const broken = sabotage && { sabotage: faultIn(sabotage, atOnce) };
  const rounded = roundedIn(program.graph, options);
  const precision = rounded === undefined ? "full" : "own";
  const settings = { values: arithmetic, ...broken, bodies, precision } as const;
  const wanted = reference && { wanted: reference.tensors };
  const run = yield { program: ran, leaves, settings, ...wanted };
  if (reference === undefined) onPart?.("reference");
  const rounding = rounded && ownRounding(ran, run.held);
  const unsharded =
    reference ?? followedRun(ran, run, leaves, arithmetic, bodies, rounding?.widened);
  onPart?.("comparison");
  const isWrapped = arithmetic === "words";
  const { first, wrongValue, ...compared } = comparedRun(ran, run, unsharded, isWrapped);
  const tensors = atOnce ? onDevices(compared.tensors, atOnce.deviceOf) : compared.tensors;
  const result = { ...compared, tensors };
  const all = { program, ran, atOnce, run, reference: unsharded, isWrapped, wrongValue };
  const left = leftBehind(all);
  const device = first && (atOnce?.deviceOf(first.device) ?? first.device);
  return {
    result: {
      ...result,
      ran: left,
      ...(rounded !== undefined && { rounded }),
      ...(first !== undefined && device !== undefined && { first: { ...first, device } }),
    },
    unsharded,
    overflowed: rounding?.overflowed ?? new Map(),
  };
}

/** The element types to which devices round their results; `undefined` if they do not. */
function roundedIn(graph: Graph, options: CheckOptions): readonly DType[] | undefined {
  const { values, precision } = options;
  if (values !== "floats" || precision !== "own") return undefined;
  const rounded = narrowDTypes(graph);
  return rounded.length === 0 ? undefined : rounded;
}

/** The same fault with micro-batches side by side. */
function faultIn(sabotage: InjectedFault, atOnce: AtOnce | undefined): InjectedFault {
  if (sabotage.how === "cut" || atOnce === undefined) return sabotage;
  return { ...sabotage, step: atOnce.placeOf(sabotage.step) };
}

/** Reason why a fault cannot be injected: the tensor can be cut along no other dim. */
function uncut(program: SpmdProgram, sabotage: InjectedFault | undefined): Diagnostic | undefined {
  if (sabotage?.how !== "cut") return undefined;
  const tensor = program.graph.tensors.find(({ id }) => id === sabotage.tensor);
  const value = program.values.find(({ id }) => id === program.made.get(sabotage.tensor));
  const other = value && tensor && swapCuts(value.layout, tensor.shape);
  return other === undefined ? noOtherCut(tensor?.name ?? sabotage.tensor) : undefined;
}

/**
 * Runs on floats instead of integers that were rounded. Rounded integers depend on the order of
 * sums, for which floats have a bound.
 */
function* checkFloatsInstead(
  program: SpmdProgram,
  options: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult>> {
  const floats = { ...options, values: "floats", precision: "full" } as const;
  const run = yield* checkResolved(program, floats, bodies);
  return run.ok ? passed(run.value, [...run.diagnostics, inexact()]) : run;
}

function hasBodies({ operators }: Graph, { whole }: ResolvedBodies): boolean {
  return operators.some((operator) => whole(operator) !== undefined);
}

/**
 * Runs the program again on floats and reports if these differ: stand-ins for functions that leave
 * the integers may be linear where the program's function is not, and would hide a wrong
 * annotation.
 */
function* checkFloats(
  program: SpmdProgram,
  { onPart: _, ...options }: CheckOptions,
  bodies: ResolvedBodies,
): Checking<Checked<RunResult> | undefined> {
  const onFloats = { ...options, values: "floats", precision: "full" } as const;
  const run = yield* checkResolved(program, onFloats, bodies);
  if (!run.ok) return undefined;
  if (!run.value.equal) return passed(run.value, [...run.diagnostics, foundOnFloats()]);
  run.value.ran.run.release?.();
  return undefined;
}
