import { product } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import { blockCount, type DeviceMesh, type Part } from "#core/mesh";
import type { OperatorPlan, Placement, Requests } from "#core/plan";
import { sameItems } from "#core/records";
import { arrange, type BuiltGraph, withRepeatedAxis } from "#language/document/graph";
import { strategySide, type Trace, type TracedOperator } from "#language/document/trace";
import { batchParallelPieces } from "../batch-parallel.ts";
import { checkDeviceCount, checkPieces } from "../devices.ts";
import { isCounted } from "../emitted/folded-values.ts";
import { keptWhole } from "../emitted/kept-whole.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { removedOperators } from "../emitted/removed.ts";
import { defaultStrategy } from "../operators/default-strategy.ts";
import { deviceMatrix } from "../shard.ts";
import { refusedReader, type WrongForm } from "../wrong-numbers.ts";
import { refusalOf } from "./assumed-refusal.ts";
import { gatherPlan, isGather } from "./gather-plans.ts";
import { gatheredPlan } from "./gathered-plans.ts";
import { addSkippedReshapes, selfDefinedPlan, withCrossBatch } from "./given-plans.ts";
import { otherDeviceCounts } from "./layout-devices.ts";
import { layoutPlan } from "./layout-plans.ts";
import { attributeOf, modelCall, modelled } from "./model-call.ts";
import { isRemoved, layoutsPlan } from "./not-drawn.ts";
import { isSemiAuto, parallelSetting } from "./parallel-mode.ts";
import { parameterLayouts } from "./parameter-layouts.ts";
import { shapesOf, type TupleCuts, written } from "./read-tuples.ts";
import { refuse, withReduced } from "./reduced-plan.ts";

/**
 * The plan of each operator from its `.shard(…)` or MindSpore's default, on the document's mesh or
 * its own arrangement of the devices.
 */
export function mindsporePlans(
  built: BuiltGraph,
  cuts: readonly TupleCuts[],
  mesh: DeviceMesh,
  trace: Trace,
): {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  /** Layouts of inputs that are gathered before they are used. */
  readonly placements: Requests["placements"];
  readonly diagnostics: readonly Diagnostic[];
} {
  const plans = new Map<OperatorId, OperatorPlan>();
  const placements = new Map<TensorId, Placement>();
  const diagnostics: Diagnostic[] = [];
  // MindSpore splits operators without a strategy too if the context sets the number of devices.
  const counted = cuts[0]?.strategy ?? parallelSetting(trace);
  if (counted !== undefined)
    diagnostics.push(
      ...checkDeviceCount(mesh.devices.length, counted.span).map((fault) => ({
        ...fault,
        ...rounded(built),
      })),
    );
  const semiAuto = isSemiAuto(trace);
  const kept = semiAuto ? keptWhole(trace, mesh.devices.length) : new Set<TracedOperator>();
  const context: PlanContext = { mesh, semiAuto, kept, diagnostics };
  const cutOf = new Map(cuts.map((cut) => [cut.operator, cut]));
  for (const [traced, operator] of built.operatorOf) {
    const before = diagnostics.length;
    const gathered = gatheredPlan(traced, operator, mesh, diagnostics);
    for (const [tensor, placement] of gathered?.placements ?? []) placements.set(tensor, placement);
    const cut = cutOf.get(operator);
    const plan = gathered?.plan ?? planFor(traced, operator, cut, context);
    const added = diagnostics.splice(before).map(refusalOf(traced));
    if (
      added.some(({ severity }) => severity === "error") &&
      removedOperators(trace.operators).has(traced)
    ) {
      plans.set(operator.id, { strategy: { cuts: {}, carry: [] }, mesh, status: "assumed" });
      if (traced.strategy && cut?.isWhole !== true)
        diagnostics.push(isRemoved(operator, traced.strategy));
      continue;
    }
    if (plan !== undefined) plans.set(operator.id, ownStatistics(traced, plan));
    const isShared = added.some(({ code }) => code === sharesLastAxis);
    diagnostics.push(...(isShared && isRead(built, operator) ? added.map(asRead) : added));
  }
  addSkippedReshapes(built, plans, mesh, diagnostics);
  const said = new Set(diagnostics.map(({ span }) => span));
  const misfits = otherDeviceCounts(trace, mesh).filter(({ span }) => !said.has(span));
  diagnostics.push(...misfits, ...tooManyDevices(trace, cuts, mesh));
  if (context.semiAuto) diagnostics.push(...parameterLayouts(built, mesh.devices.length));
  return { plans, placements, diagnostics };
}

/**
 * A BatchNorm uses mean and variance over all devices: the compiler replaces it by one that
 * communicates.
 */
function ownStatistics({ op }: TracedOperator, plan: OperatorPlan): OperatorPlan {
  return op === "BatchNorm" ? { ...plan, isCombinedInside: true } : plan;
}

/** Whether another operator reads a result of this one. */
function isRead({ operatorOf }: BuiltGraph, { outputs }: Operator): boolean {
  const made = new Set(outputs.map(({ tensor }) => tensor));
  return [...operatorOf.values()].some(({ inputs }) =>
    inputs.some(({ tensor }) => made.has(tensor)),
  );
}

const sharesLastAxis: WrongForm = "mindspore/shares-last-axis";

function asRead(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === sharesLastAxis ? refusedReader(diagnostic) : diagnostic;
}

/**
 * The fix that writes every number of pieces as a power of two that divides its dim; none if some
 * are no literals.
 */
function rounded({ operatorOf }: BuiltGraph): Pick<Diagnostic, "fixes"> {
  const odd = [...operatorOf.keys()].flatMap((traced) => {
    if (traced.strategy?.kind !== "tuples") return [];
    const shapes = shapesOf(traced);
    return written(traced.strategy).operands.flatMap((entries, operand) =>
      entries.flatMap((entry, dim) => {
        const size = shapes[operand]?.[dim] ?? 1;
        return isPower(entry.value) ? [] : [{ ...entry, wanted: powerIn(entry.value, size) }];
      }),
    );
  });
  if (odd.length === 0 || odd.some(({ isLiteral }) => !isLiteral)) return {};
  const edits = odd.map(({ span, wanted }) => ({ ...span, text: String(wanted) }));
  const texts = [...new Set(odd.map(({ wanted, value }) => `${wanted} for ${value}`))];
  return { fixes: [{ title: `Write ${texts.join(", ")}`, edits }] };
}

/** The largest power of two up to `most` that divides a size. */
function powerIn(most: number, size: number): number {
  let power = 2 ** Math.floor(Math.log2(most));
  while (size % power !== 0) power /= 2;
  return power;
}

function isPower(number: number): boolean {
  return Number.isInteger(Math.log2(number));
}

interface PlanContext {
  readonly mesh: DeviceMesh;
  /** Whether operators without a strategy follow MindSpore's default. */
  readonly semiAuto: boolean;
  /** Operators that stay whole because of an earlier call. */
  readonly kept: ReadonlySet<TracedOperator>;
  readonly diagnostics: Diagnostic[];
}

/** The plan of one operator, by MindSpore's own rules and the operator's attributes. */
function planFor(
  traced: TracedOperator,
  operator: Operator,
  cut: TupleCuts | undefined,
  { mesh, semiAuto, kept, diagnostics }: PlanContext,
): OperatorPlan | undefined {
  const { strategy } = traced;
  if (kept.has(traced)) return { strategy: { cuts: {}, carry: [] }, mesh, status: "assumed" };
  // A Cast without a strategy keeps its input's layout.
  const isDefault = semiAuto && isUnset(traced) && primitiveName(traced) !== "Cast";
  if (traced.isReplicated === true || (strategy === undefined && !isDefault)) return undefined;
  if (strategy?.kind === "tuples" && cut === undefined) return undefined;
  const isSelfDefined =
    traced.op === "Custom" || attributeOf(traced, "self_define_shard")?.value === true;
  if (isSelfDefined && strategy?.kind !== "tuples") {
    return selfDefined(traced, operator, mesh, diagnostics);
  }
  if (cut?.isWhole === true) {
    const isRefused = () => modelled(traced, mesh.devices.length, diagnostics) === "refused";
    if (!isCounted(traced) && isRefused()) return undefined;
    return { strategy: { cuts: {}, carry: [] }, mesh, status: "assumed", span: cut.strategy.span };
  }
  if (isGather(traced)) return gatherPlan(traced, operator, cut?.matrix, mesh, diagnostics);
  const before = diagnostics.length;
  const plan =
    cut !== undefined
      ? tuplePlan(cut, mesh, diagnostics)
      : strategy?.kind === "layouts"
        ? layoutsPlan(traced, operator, strategy, mesh, diagnostics)
        : batchParallelPlan(traced, operator, mesh);
  if (plan === undefined || diagnostics.length > before) return plan;
  const model = modelled(traced, mesh.devices.length, diagnostics);
  if (model === "refused") return undefined;
  return model === undefined ? plan : withCrossBatch(traced, operator, plan, model, diagnostics);
}

/** The plan of an operator whose Layouts replace its own rule (mindspore.md §5.7). */
function selfDefined(
  traced: TracedOperator,
  operator: Operator,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const model = modelled(traced, mesh.devices.length, diagnostics);
  const written = traced.strategy;
  const [first] = written?.kind === "layouts" ? written.inputs : [];
  if (model === "refused" || written?.kind !== "layouts" || first === undefined) return undefined;
  const isTensor = (_: unknown, at: number) => traced.inputs[at]?.kind !== "plain";
  const strategy = { ...written, inputs: written.inputs.filter(isTensor) };
  const faults: Diagnostic[] = [];
  const plan = layoutPlan(operator, strategy, mesh, faults);
  if (plan !== undefined && faults.length === 0) return plan;
  const isOwn = traced.op === "Custom";
  diagnostics.push({
    code: "mindspore/as-given",
    severity: "warning",
    message: `${isOwn ? "" : '"self_define_shard": '}${traced.op} runs on each device's blocks as the layouts cut them${isOwn ? "" : `, though ${faults[0]?.message ?? "its own rule cuts it otherwise"}`}; whether the result is right is the text's own affair`,
    span: strategy.span,
  });
  return selfDefinedPlan(operator, strategy, first.spec, mesh);
}

function isUnset({ strategy, reducesInside, isFree }: TracedOperator): boolean {
  return strategy === undefined && reducesInside && isFree !== true;
}

/** The plan of an operator without a strategy (mindspore.md §2.4). */
function batchParallelPlan(
  traced: TracedOperator,
  operator: Operator,
  mesh: DeviceMesh,
): OperatorPlan {
  const devices = mesh.devices.length;
  const call = modelCall(traced, devices);
  const strategies = call && defaultStrategy(call);
  const pieces =
    strategies === undefined
      ? batchParallelPieces(operator, devices)
      : piecesIn(strategySide(operator, traced, []).operator, strategies);
  const sizes = withRepeatedAxis(deviceMatrix(operator.axes, pieces), devices);
  const { mesh: own, parts } = arrange(mesh, sizes);
  return { strategy: { cuts: cutsOf(operator, parts), carry: [] }, mesh: own, status: "assumed" };
}

/** Pieces per index axis that a strategy of tuples cuts. */
function piecesIn(
  operator: Operator,
  strategies: readonly (readonly number[])[],
): Readonly<Record<string, number>> {
  const pairs = operator.inputs.flatMap(({ dims }, input) =>
    dims.flatMap(({ splittable }, dim): [string, number][] => {
      const pieces = strategies[input]?.[dim] ?? 1;
      return splittable === undefined || pieces === 1 ? [] : [[splittable, pieces]];
    }),
  );
  return Object.fromEntries(pairs);
}

function cutsOf(
  operator: Operator,
  parts: readonly (readonly Part[])[],
): Readonly<Record<string, readonly Part[]>> {
  const named = operator.axes.map((axis, index) => [axis.name, parts[index] ?? []] as const);
  return Object.fromEntries(named.filter(([, list]) => list.length > 0));
}

/**
 * Errors for strategies that need more devices than the context has, if the mesh follows the
 * strategies.
 */
function tooManyDevices(
  trace: Trace,
  cuts: readonly TupleCuts[],
  mesh: DeviceMesh,
): readonly Diagnostic[] {
  const { devices } = parallelSetting(trace) ?? {};
  if (devices === undefined || devices === mesh.devices.length) return [];
  return cuts.flatMap(({ operator, matrix, strategy }) => {
    const needed = product(matrix);
    const message = `the strategy of "${operator.name}" requires ${needed} devices, but device_num is ${devices}`;
    return devices % needed === 0 ? [] : [refuse(strategy.span, message)];
  });
}

function tuplePlan(
  { operator, matrix, strategy }: TupleCuts,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const { span } = strategy;
  const faults = checkPieces(operator.name, matrix, mesh.devices.length, span);
  diagnostics.push(...faults);
  if (faults.length > 0) return undefined;
  const full = withRepeatedAxis(matrix, mesh.devices.length);
  const { mesh: own, parts } = arrange(mesh, full);
  const plan: OperatorPlan = {
    strategy: { cuts: cutsOf(operator, parts), carry: [] },
    mesh: own,
    status: "set",
    span,
  };
  const asked = strategy.outputs?.[0];
  if (asked === undefined) return plan;
  const matches = (dims: readonly (readonly Part[])[]) => sameItems(dims.map(blockCount), asked);
  return withReduced(operator, plan, matches, span, diagnostics);
}
