import type { Compiled, TensorView } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { printAnnotation } from "#core/dimops";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { printLayout, printPart } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import {
  type CollectiveStep,
  type FlatStep,
  fold,
  type ListedStep,
  type LocalStep,
  listSteps,
  type SpmdProgram,
  stepsAsRun,
  type Value,
  type ValueId,
} from "#core/program";
import { emittedOtherwise } from "#systems";
import type { Answer, Arguments } from "./answer.ts";
import { openRequest } from "./compile-request.ts";
import { emittedFields } from "./emitted-fields.ts";
import { Listing } from "./listed.ts";
import type { SliceRow } from "./slice-rows.ts";

/** `plan`: everything derived from a program, from slices to per-device steps and their cost. */
export function planAnswer(args: Arguments): Answer {
  return planned(args, (known, program) => stepsAsRun(program).map((step) => stepRow(known, step)));
}

/** `plan` for people: of repeated blocks of steps, only the first is listed. */
export function planSummary(args: Arguments): Answer {
  return planned(args, (known, program) =>
    listSteps(fold(program)).map((listed) => ({
      ...timesOf(listed),
      ...stepRow(known, listed.step),
    })),
  );
}

/** `×24` at the first step of a block that runs 24 times, a line at its other steps. */
function timesOf({ count, place }: ListedStep): { readonly times?: string } {
  if (count === 1) return {};
  return { times: place === 0 ? `×${count}` : "│" };
}

type StepRows = (
  known: Index,
  program: SpmdProgram,
) => readonly Readonly<Record<string, unknown>>[];

function planned(args: Arguments, stepRows: StepRows): Answer {
  const opened = openRequest(args);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { compiled, document } = opened.value;
  const emitted = emittedFields(args, document);
  if (!emitted.ok) return { ok: false, diagnostics: emitted.diagnostics };
  const { diagnostics } = compiled;
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const refused = fault === undefined ? {} : { code: fault.code };
  const listing = new Listing();
  const fields = { ...planFields(compiled, stepRows, listing), ...emitted.value };
  const otherwise =
    emitted.value.emitted === undefined
      ? []
      : emittedOtherwise(emitted.value.emitted, fields.steps);
  const all = [...diagnostics, ...otherwise, ...listing.diagnostics()];
  return { ok: !hasErrors(diagnostics), ...refused, ...fields, diagnostics: all };
}

/** Fields of the answer derived from a compiled program (commands.md, `plan`). */
function planFields(
  compiled: Compiled,
  stepRows: StepRows,
  listing: Listing,
): Readonly<Record<string, unknown>> & { readonly steps: ReturnType<StepRows> } {
  const { mesh, tensors, program, cost, memory, again } = compiled;
  const known = indexOf(compiled, listing);
  return {
    mesh: mesh.mesh.axes.map((axis) => [axis.name, axis.size]),
    tensors: tensors.flatMap((view) => tensorRow(known, view)),
    operators: program.graph.operators.map((operator) => operatorRow(compiled, operator)),
    steps: stepRows(known, program),
    modules: Object.fromEntries(
      [...(compiled.modules ?? [])].map(([name, parameters]) => [
        name,
        { parameters: parameters ?? null },
      ]),
    ),
    cost: costRow(cost),
    memory: {
      peak: memory.peakBytes,
      parameters: memory.parameterBytes,
      inputs: memory.inputBytes,
      activations: memory.activationBytes,
      gradients: memory.gradientBytes,
      optimizer: memory.optimizerBytes,
      workspace: memory.workspaceBytes,
      afterForward: memory.afterForwardBytes,
      reserved: memory.reservedBytes,
    },
    ...(again !== undefined && {
      recompute: { budget: again.bytes, blocks: again.again, of: again.all.length },
    }),
  };
}

function costRow(cost: Compiled["cost"]): Readonly<Record<string, number | string>> {
  const { seconds, bytes, flops, basis, limit } = cost;
  return {
    seconds,
    compute: cost.computeSeconds,
    communication: cost.communicationSeconds,
    exposed: cost.exposedSeconds,
    hidden: cost.hiddenSeconds,
    host: cost.hostSeconds,
    limit,
    ...{ bytes, flops, basis },
    // If an operator's time is unknown, partial sums would be misleading.
    ...(Number.isNaN(seconds) && { exposed: NaN, hidden: NaN, host: NaN, flops: NaN }),
  };
}

/** Entities of a compiled program by id. */
interface Index {
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
  readonly values: ReadonlyMap<ValueId, Value>;
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly listing: Listing;
}

function indexOf({ program, plan }: Compiled, listing: Listing): Index {
  const { graph } = program;
  return {
    listing,
    tensors: new Map(graph.tensors.map((tensor) => [tensor.id, tensor])),
    values: new Map(program.values.map((value) => [value.id, value])),
    operators: new Map(graph.operators.map((operator) => [operator.id, operator])),
    plans: plan.operators,
  };
}

interface TensorRow {
  readonly name: string;
  readonly kind: "input" | "parameter" | "intermediate";
  /** `null` when unknown, as is the layout then. */
  readonly shape: readonly number[] | null;
  readonly dtype: string;
  readonly layout: string | null;
  readonly atRest?: string;
  readonly placed?: string;
  readonly status: string;
  readonly slices?: readonly SliceRow[];
}

function tensorRow(known: Index, view: TensorView): readonly TensorRow[] {
  const tensor = known.tensors.get(view.tensor);
  if (tensor === undefined) return [];
  const { name, shape, dtypeText: dtype, producer, role } = tensor;
  const kind = role === "input" || role === "parameter" ? role : "intermediate";
  const { layout, atRest, placed } = view;
  const others = {
    ...(atRest !== undefined && { atRest: printLayout(atRest) }),
    ...(placed !== undefined && { placed: printLayout(placed) }),
  };
  // `layout` is the layout in which the operator leaves the tensor, even if the text places it
  // elsewhere.
  const maker = placed && producer && known.plans.get(producer);
  const status = maker?.status ?? view.status;
  if (tensor.isUnknown) return [{ name, kind, shape: null, dtype, layout: null, status }];
  const slices = known.listing.slicesOf(view, shape, tensor.start);
  return [{ name, kind, shape, dtype, layout: printLayout(layout), ...others, status, ...slices }];
}

function operatorRow(compiled: Compiled, operator: Operator): Readonly<Record<string, unknown>> {
  const plan = compiled.plan.operators.get(operator.id);
  const verdicts = compiled.verdicts?.get(operator.id) ?? [];
  const elsewhere = Object.fromEntries(verdicts.map(({ system, text }) => [system, text]));
  return {
    name: operator.name,
    op: operator.op,
    annotation: printAnnotation(operator.annotation),
    strategy: plan === undefined ? {} : strategyRow(plan),
    status: plan?.status ?? "assumed",
    ...(verdicts.length > 0 && { elsewhere }),
  };
}

/** Axes that cut each identifier, outermost first; whole identifiers are left out. */
function strategyRow({
  strategy,
  mesh,
}: OperatorPlan): Readonly<Record<string, readonly string[]>> {
  const cut = Object.entries(strategy.cuts).filter(([, parts]) => parts.length > 0);
  return Object.fromEntries(
    cut.map(([name, parts]) => [name, parts.map((part) => printPart(mesh, part))]),
  );
}

function stepRow(known: Index, step: FlatStep): Readonly<Record<string, unknown>> {
  return step.kind === "local" ? localRow(known, step) : collectiveRow(known, step);
}

function localRow(known: Index, step: LocalStep): Readonly<Record<string, unknown>> {
  return {
    collective: "operator",
    operator: known.operators.get(step.operator)?.name ?? step.operator,
    phase: step.phase,
    inputs: step.inputs.map((value) => nameOf(known, value)),
    outputs: step.outputs.map((value) => nameOf(known, value)),
  };
}

function collectiveRow(known: Index, step: CollectiveStep): Readonly<Record<string, unknown>> {
  const { collective, phase, axes, groups, elements, bytes, seconds } = step;
  const after = known.values.get(step.output)?.layout;
  return {
    collective,
    ...tensorOf(known, step.input),
    phase,
    axes,
    ...known.listing.groupsOf(groups),
    ...(after !== undefined && { layout: printLayout(after) }),
    elements,
    bytes,
    seconds,
  };
}

/**
 * The tensor that a collective redistributes; for a gradient, its own name next to its tensor's.
 */
function tensorOf(known: Index, id: ValueId): Readonly<Record<string, unknown>> {
  const value = known.values.get(id);
  const of = value && known.tensors.get(value.tensor)?.gradientOf;
  const tensor = of && known.tensors.get(of)?.name;
  const name = nameOf(known, id);
  return tensor === undefined ? { tensor: name } : { tensor, gradient: name };
}

function nameOf(known: Index, id: ValueId): string {
  const value = known.values.get(id);
  return value === undefined ? id : (known.tensors.get(value.tensor)?.name ?? value.tensor);
}
