import {
  type CostModel,
  estimateWithSchedule,
  type Hardware,
  memoryOf,
  type RunRules,
  valueBytes,
} from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { type Checked, type Diagnostic, passed } from "#core/diagnostics";
import type { Graph, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { propagate, stageOperators } from "#core/plan";
import { lower } from "#core/program";
import { expandTraining } from "#core/training";
import type { Document } from "#language/document";
import { costModelOf } from "#systems";
import { type CompileCache, createCompileCache } from "./compile-cache.ts";
import type { Compiled, CompileOptions, MeshView } from "./compiled.ts";
import { readEnds } from "./read-ends.ts";
import { withinBudget } from "./recompute-budget.ts";
import { reshardFindings } from "./reshard-findings.ts";
import { tensorViews } from "./tensor-views.ts";
import { evaluatePlan } from "./under-model.ts";
import { withUnknownFigures } from "./unknown-figures.ts";

/** The plan of a graph on its mesh, with its costs; `Compiled` adds only texts. */
export interface Analysis
  extends Pick<
    Compiled,
    | "mesh"
    | "hardware"
    | "hardwareStatus"
    | "graph"
    | "plan"
    | "program"
    | "tensors"
    | "cost"
    | "schedule"
    | "rules"
    | "memory"
    | "again"
  > {
  /** Diagnostics of the plan, before the text adds its fixes. */
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics of the results named by the caller (`outputs`). */
  readonly asked: readonly Diagnostic[];
}

/** The parts of a document that an analysis reads, including spans but no text. */
export type CompileInput = Pick<Document, "graph" | "mesh" | "requests" | "training" | "isEager">;

/** Most remembered calls, more than a large model has; beyond them the memory is cleared. */
const mostCalls = 2_000;

/**
 * Plans and prices a document's graph on its mesh. With a memory budget the step recomputes blocks
 * until it fits.
 */
export function analyze(
  document: CompileInput,
  options: Pick<CompileOptions, "outputs" | "model"> = {},
  known: CompileCache = createCompileCache(),
): Analysis {
  const { training } = document;
  if (training?.budget === undefined) return analyzed(document, options, known);
  const { found, chosen, diagnostics } = withinBudget(training, training.budget, (step) =>
    analyzed({ ...document, training: step }, options, known),
  );
  return { ...found, again: chosen, diagnostics: [...found.diagnostics, ...diagnostics] };
}

function analyzed(
  document: CompileInput,
  { outputs, model: name }: Pick<CompileOptions, "outputs" | "model">,
  known: CompileCache,
): Analysis {
  const { graph, mesh, requests } = document;
  const { planReshard, plans } = known;
  plans.begin();
  const forward = propagate(graph, mesh.mesh, requests, planReshard, plans);
  const asked = outputs === undefined ? noEnds : readEnds(graph, mesh.mesh, outputs);
  const hardware = mesh.platform?.hardware ?? assumedHardware;
  const model: Checked<CostModel | undefined> =
    name === undefined ? passed(undefined) : costModelOf(name, hardware, mesh.mesh);
  const { ends } = asked;
  const measured =
    model.ok && model.value !== undefined
      ? underModel(document, forward, { model: model.value, hardware, ends }, known)
      : asLowered(document, forward, { hardware, ends }, known);
  const found = withUnknownFigures(graph, measured);
  const { expanded, plan, program, cost, schedule, rules, memory, diagnostics } = found;
  return {
    diagnostics: [
      ...diagnostics,
      ...model.diagnostics,
      ...(plan.reshards === undefined ? [] : reshardFindings(plan, program)),
    ],
    asked: asked.diagnostics,
    mesh: meshView(document),
    hardware,
    hardwareStatus: mesh.platform === undefined ? "assumed" : "set",
    graph,
    plan,
    program,
    tensors: tensorViews(expanded, plan, program),
    cost,
    ...(schedule !== undefined && { schedule, rules }),
    memory,
  };
}

type Spread = ReturnType<typeof propagate>;

/** The hardware that prices a program, and the layouts in which its results have to end. */
interface Measured {
  readonly hardware: Hardware;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** The lowered program of a plan, and its cost under the program's own cost model. */
function asLowered(
  document: CompileInput,
  forward: Spread,
  { hardware, ends }: Measured,
  known: CompileCache,
) {
  const { planReshard, plans, systems, works } = known;
  const { plan, diagnostics, expanded } = withTraining(document, forward, known);
  const staged = stageOperators(expanded, plan);
  const program = lower(staged.graph, { ...staged.plan, ends }, planReshard, plans, systems);
  const sizes = valueBytes(program);
  const rules = rulesOf(document);
  const { cost, schedule } = estimateWithSchedule(program, hardware, sizes, rules, works);
  const memory = memoryOf(program, sizes);
  // The strategy of a staged operator is shown for the whole operator.
  const operators = new Map([...staged.plan.operators, ...plan.operators]);
  const shown = staged.plan === plan ? plan : { ...plan, operators };
  return {
    expanded: staged.graph,
    plan: shown,
    program,
    cost,
    schedule,
    rules,
    memory,
    diagnostics,
  };
}

/** The run rules of a document: in a training step the traffic of weights overlaps compute. */
function rulesOf({ training, isEager }: CompileInput): RunRules {
  const isCompiled = training?.compiled === true;
  const overlap = training === undefined ? "none" : (training.overlap ?? "weights");
  return { overlap, isEager: isEager === true && !isCompiled, isCompiled };
}

/** The program of a plan under a cost model, and its cost. */
function underModel(
  { graph, mesh, training }: CompileInput,
  { plan, diagnostics }: Spread,
  measured: Measured & { readonly model: CostModel },
  known: CompileCache,
) {
  const asked = { graph, mesh: mesh.mesh, plan, ...(training && { training }), ...measured };
  const found = evaluatePlan(asked, known);
  const all = [...diagnostics, ...found.diagnostics];
  return { ...found, schedule: undefined, rules: {}, diagnostics: all };
}

const noEnds: ReturnType<typeof readEnds> = { ends: new Map(), diagnostics: [] };

/** The plan of the whole step; with `train` it includes backward and update operators. */
function withTraining(
  { graph, mesh, training }: CompileInput,
  forward: ReturnType<typeof propagate>,
  { planReshard, plans, calls, sharedStep }: CompileCache,
): ReturnType<typeof propagate> & { readonly expanded: Graph } {
  if (training === undefined) return { ...forward, expanded: graph };
  if (calls.size > mostCalls) calls.clear();
  const step = sharedStep(expandTraining(graph, forward.plan, training, { calls }));
  const spread = propagate(step.graph, mesh.mesh, step.requests, planReshard, plans);
  const plan = { ...spread.plan, ...step.asked };
  const diagnostics = [...forward.diagnostics, ...step.diagnostics];
  return { plan, diagnostics, expanded: step.graph };
}

function meshView({ mesh }: CompileInput): MeshView {
  return {
    mesh: mesh.mesh,
    status: mesh.status,
    ...(mesh.span !== undefined && { span: mesh.span }),
    sizeSpans: mesh.sizeSpans,
  };
}
