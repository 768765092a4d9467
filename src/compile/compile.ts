import {
  type CostModel,
  createKnownWorks,
  type Hardware,
  type KnownWorks,
  memoryOf,
  modelFlops,
  type RunRules,
  timed,
  valueBytes,
} from "#core/cost";
import { assumedHardware } from "#core/cost/machines";
import { type Checked, type Diagnostic, foldedAlike, passed } from "#core/diagnostics";
import type { Graph, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { createPlanMemory, type PlanMemory, propagate, stageOperators } from "#core/plan";
import { lower, type SystemReshard } from "#core/program";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import { expandTraining, type KnownCalls, type TrainingGraph } from "#core/training";
import type { Document } from "#language/document";
import { withStrategyFixes } from "#language/document/edit";
import { costModelOf, readDocument, readGraph, textModel, textModules } from "#systems";
import type { GraphDocuments } from "#systems/system/graph";
import type { Compiled, CompileOptions, MeshView } from "./compiled.ts";
import { readEnds } from "./read-ends.ts";
import { withinBudget } from "./recompute-budget.ts";
import { reshardFindings } from "./reshard-findings.ts";
import { shareStructureExactly } from "./share-structure.ts";
import { createSystemSteps, systemFindings, systemOf, withRules } from "./system-answers.ts";
import { tensorViews } from "./tensor-views.ts";
import { evaluatePlan } from "./under-model.ts";
import { withUnknownFigures } from "./unknown-figures.ts";
import { verdictsOf } from "./verdicts.ts";
import { writtenLines } from "./written-lines.ts";

/**
 * The whole line from a text to everything that follows from it (architecture.md §3), as one pure
 * function; `options` say what the text does not. It never throws for a text: what cannot be read
 * is a diagnostic, the rest stands.
 */
export function compile(source: string, options: CompileOptions = {}): Compiled {
  const read = readGraph(source, options);
  if (read === undefined)
    return compileDocument(readDocument(source, options.platform, options.as), options);
  return withGraph(compileDocument(read.document, options), read, source);
}

/** What follows from the plan together with the graph that it stands beside. */
function withGraph(
  compiled: Compiled,
  { imported, diagnostics }: GraphDocuments,
  source: string,
): Compiled {
  const inPlan = compiled.diagnostics.map((each): Diagnostic => ({ ...each, text: "plan" }));
  return {
    ...compiled,
    source,
    planText: compiled.source,
    imported,
    diagnostics: [...diagnostics, ...inPlan],
  };
}

/** `compile` for a document that has been read already. */
export function compileDocument(
  document: Document,
  options: Pick<CompileOptions, "outputs" | "model"> = {},
): Compiled {
  return withWords(document, analyze(document, options));
}

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
  /** Of the plan, without the fixes that the text gives them. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of results that are asked for. */
  readonly asked: readonly Diagnostic[];
}

/** What an analysis is made from: all of a document but its words; spans are part of it. */
export type CompileInput = Pick<Document, "graph" | "mesh" | "requests" | "training" | "isEager">;

/** Kept between versions of a document, only to make the next compile quicker. */
export interface CompileCache {
  readonly planReshard: PlanReshard;
  readonly plans: PlanMemory;
  readonly systems: SystemReshard;
  readonly calls: KnownCalls;
  readonly works: KnownWorks;
  /**
   * Replaces the parts of a training step that are equal to the last step's by the same objects, so
   * that results kept per object are found again.
   */
  readonly sharedStep: (step: TrainingGraph) => TrainingGraph;
}

/** Entries at which the cache is emptied: more than a large model has calls. */
const mostCalls = 2_000;

/** Nothing that is known yet. */
export function createCompileCache(): CompileCache {
  return {
    planReshard: createReshardPlanner(),
    plans: createPlanMemory(),
    systems: createSystemSteps(),
    calls: new Map(),
    works: createKnownWorks(),
    sharedStep: createSharedSteps(),
  };
}

function createSharedSteps(): CompileCache["sharedStep"] {
  let last: TrainingGraph | undefined;
  return (step) => {
    last = last === undefined ? step : shareStructureExactly(last, step);
    return last;
  };
}

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

/** What a program is lowered and measured with. */
interface Measured {
  readonly hardware: Hardware;
  readonly ends: ReadonlyMap<TensorId, Layout>;
}

/** The product's own program of a plan, and its cost. */
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
  const { cost, schedule } = timed(program, hardware, sizes, rules, works);
  const memory = memoryOf(program, sizes);
  // What a strategy says of an operator, it says of all its stages.
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

/** The program of a plan as a cost model has it, and its cost under that model. */
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

/** An analysis together with what only the text says. */
export function withWords(
  document: Document,
  { diagnostics, asked, ...analysis }: Analysis,
): Compiled {
  const { operators, tensors, written } = document.pins;
  const isPinning = written.length > 0;
  const targets = new Set(written.map(({ target }) => target));
  const axes = analysis.mesh.mesh.axes.map(({ name }) => name);
  const verdicts = verdictsOf(document, analysis.plan);
  const pinnedAxes = axes.filter((name) => targets.has("mesh") || targets.has(name));
  const compiled: Compiled = {
    source: document.source,
    ...(isPinning && { pinned: [...operators, ...tensors] }),
    ...(pinnedAxes.length > 0 && { pinnedAxes }),
    system: nameOf(systemOf(document)),
    ...(document.trace.choices.length > 0 && { choices: document.trace.choices }),
    ...(document.modules.size > 0 && { modules: document.modules }),
    ...(document.lines !== undefined && { lines: writtenLines(document, document.lines()) }),
    ...(verdicts.size > 0 && { verdicts }),
    modelFlops: modelFlops(analysis.program, analysis.graph),
    diagnostics: foldedAlike(
      inTextOrder(
        withRules(document, analysis.plan, [
          ...document.diagnostics,
          ...(diagnostics.length === 0 ? [] : withStrategyFixes(document, diagnostics)),
          ...asked,
          ...systemFindings(document, analysis),
        ]),
      ),
    ),
    ...analysis,
  };
  // No page can be sent a function: what is sent leaves out what is not counted among the fields.
  if (document.trace.moduleOf !== undefined)
    Object.defineProperties(compiled, {
      textModel: { value: textModel(document) },
      textModules: { value: textModules(document) },
    });
  return compiled;
}

function nameOf(system: ReturnType<typeof systemOf>): Compiled["system"] {
  return system && { name: system.name, title: system.title };
}

/** The plan of the whole step: with `train`, that of backward and update operators too. */
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

/** Errors, warnings and notes in the order of their places; the placeless ones last. */
function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const place = (diagnostic: Diagnostic) => diagnostic.span?.from ?? Number.POSITIVE_INFINITY;
  if (diagnostics.length < 2) return diagnostics;
  const order = diagnostics.map((diagnostic, index) => ({ diagnostic, index }));
  order.sort((a, b) => {
    const [from, to] = [place(a.diagnostic), place(b.diagnostic)];
    return from === to ? a.index - b.index : from - to;
  });
  return order.map(({ diagnostic }) => diagnostic);
}
