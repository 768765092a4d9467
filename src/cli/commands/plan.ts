import type { Compiled, TensorView } from "#compile";
import { printAnnotation } from "#core/dimops";
import type { Operator, TensorId } from "#core/ir";
import { type Layout, printLayout, printPart } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { CollectiveStep, LocalStep, Step, ValueId } from "#core/program";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";
import { type SliceRow, sliceRows } from "./slice-rows.ts";

/** Arguments of `plan` that this version does not read: better refused than ignored. */
const unread = ["planText", "hardware", "model", "outputs"];

/** `plan`: what follows from a program, from every slice to the per-device steps and their cost. */
export function planAnswer(args: Arguments): Answer {
  const given = unread.find((name) => args[name] !== undefined);
  if (given !== undefined) return badRequest(`this version does not read "${given}"`);
  const request = compileRequest(args);
  if (!("compiled" in request)) return request;
  const { compiled, ok, diagnostics } = request;
  return { ok, ...planFields(compiled), diagnostics };
}

/** The fields of the answer that follow from a compiled program (commands.md, `plan`). */
export function planFields(compiled: Compiled): Readonly<Record<string, unknown>> {
  const { mesh, tensors, graph, program, cost, memory } = compiled;
  const { seconds, computeSeconds, communicationSeconds, bytes } = cost;
  return {
    mesh: mesh.mesh.axes.map((axis) => [axis.name, axis.size]),
    tensors: tensors.flatMap((view) => tensorRow(compiled, view)),
    operators: graph.operators.map((operator) => operatorRow(compiled, operator)),
    steps: program.stages.flatMap((stage) => stage.steps).map((step) => stepRow(compiled, step)),
    cost: { seconds, compute: computeSeconds, communication: communicationSeconds, bytes },
    memory: {
      peak: memory.peakBytes,
      parameters: memory.parameterBytes,
      inputs: memory.inputBytes,
      activations: memory.activationBytes,
    },
  };
}

interface TensorRow {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly layout: string;
  readonly atRest?: string;
  readonly status: string;
  readonly slices: readonly SliceRow[];
}

function tensorRow(compiled: Compiled, view: TensorView): readonly TensorRow[] {
  const tensor = compiled.graph.tensors.find((each) => each.id === view.tensor);
  if (tensor === undefined) return [];
  const { name, shape, dtypeText: dtype } = tensor;
  const { status, layout, atRest } = view;
  const row = { name, shape, dtype, layout: printLayout(layout), status };
  const rest = atRest === undefined ? {} : { atRest: printLayout(atRest) };
  return [{ ...row, ...rest, slices: sliceRows(layout, shape) }];
}

function operatorRow(compiled: Compiled, operator: Operator): Readonly<Record<string, unknown>> {
  const plan = compiled.plan.operators.get(operator.id);
  return {
    name: operator.name,
    op: operator.op,
    annotation: printAnnotation(operator.annotation),
    strategy: plan === undefined ? {} : strategyRow(plan),
    status: plan?.status ?? "assumed",
  };
}

/** The axes that cut each identifier, outermost first; identifiers that nothing cuts are left out. */
function strategyRow({
  strategy,
  mesh,
}: OperatorPlan): Readonly<Record<string, readonly string[]>> {
  const cut = Object.entries(strategy.cuts).filter(([, parts]) => parts.length > 0);
  return Object.fromEntries(
    cut.map(([name, parts]) => [name, parts.map((part) => printPart(mesh, part))]),
  );
}

function stepRow(compiled: Compiled, step: Step): Readonly<Record<string, unknown>> {
  return step.kind === "local" ? localRow(compiled, step) : collectiveRow(compiled, step);
}

function localRow(compiled: Compiled, step: LocalStep): Readonly<Record<string, unknown>> {
  const operator = compiled.graph.operators.find((each) => each.id === step.operator);
  return {
    collective: "operator",
    operator: operator?.name ?? step.operator,
    phase: step.phase,
    inputs: step.inputs.map((value) => valueName(compiled, value)),
    outputs: step.outputs.map((value) => valueName(compiled, value)),
  };
}

function collectiveRow(
  compiled: Compiled,
  step: CollectiveStep,
): Readonly<Record<string, unknown>> {
  const { collective, phase, axes, groups, elements, bytes, seconds } = step;
  const tensor = valueName(compiled, step.input);
  const layout = layoutOf(compiled, step.output);
  return {
    collective,
    tensor,
    phase,
    axes,
    groups,
    layout: layout === undefined ? undefined : printLayout(layout),
    elements,
    bytes,
    seconds,
  };
}

function valueName(compiled: Compiled, id: ValueId): string {
  const value = compiled.program.values.find((each) => each.id === id);
  return value === undefined ? id : tensorName(compiled, value.tensor);
}

function tensorName(compiled: Compiled, id: TensorId): string {
  return compiled.graph.tensors.find((each) => each.id === id)?.name ?? id;
}

function layoutOf(compiled: Compiled, id: ValueId): Layout | undefined {
  return compiled.program.values.find((each) => each.id === id)?.layout;
}
