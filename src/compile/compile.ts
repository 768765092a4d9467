import { assumedHardware, estimate, memoryOf, valueBytes } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import { createPlanMemory, type PlanMemory, propagate } from "#core/plan";
import { lower, type SystemReshard } from "#core/program";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import { expandTraining } from "#core/training";
import { type Document, readDocument, withStrategyFixes } from "#language/document";
import { isLoomText } from "#systems/loom";
import type { Compiled, CompileOptions, MeshView } from "./compiled.ts";
import { readEnds } from "./read-ends.ts";
import { readLoom, withLoom } from "./read-loom.ts";
import { reshardFindings } from "./reshard-findings.ts";
import { systemOf } from "./system-of.ts";
import { createSystemSteps } from "./system-steps.ts";
import { tensorViews } from "./tensor-views.ts";
import { withRules } from "./with-rules.ts";

/**
 * The whole line from a text to everything that follows from it (design.md §3), as one pure
 * function; `options` say what the text does not. It never throws for a text: what cannot be read is a diagnostic, the rest stands.
 */
export function compile(source: string, options: CompileOptions = {}): Compiled {
  const { platform, outputs } = options;
  if (!isLoomText(source)) return compileDocument(readDocument(source, platform), outputs);
  const read = readLoom(source, options);
  return withLoom(compileDocument(read.document, outputs), read, source);
}

/** The part of the line behind the reading. */
export function compileDocument(
  document: Document,
  outputs: CompileOptions["outputs"] = {},
): Compiled {
  return withWords(document, consequencesOf(document, outputs));
}

/** What follows from a graph, its mesh and what is asked of them; the rest of `Compiled` is words. */
export interface Consequences
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
    | "memory"
  > {
  /** Of the plan, without the fixes that the text gives them. */
  readonly diagnostics: readonly Diagnostic[];
  /** Of results that are asked for. */
  readonly asked: readonly Diagnostic[];
}

/** What has consequences, whatever the text around it; places in the text are part of it. */
export type Asked = Pick<Document, "graph" | "mesh" | "requests" | "training">;

/** What versions of a document share: it makes the next one quicker, and nothing else. */
export interface Known {
  readonly planReshard: PlanReshard;
  readonly plans: PlanMemory;
  readonly systems: SystemReshard;
}

/** Nothing that is known yet. */
export function createKnown(): Known {
  return {
    planReshard: createReshardPlanner(),
    plans: createPlanMemory(),
    systems: createSystemSteps(),
  };
}

/** What follows from a document's graph, mesh, requests and training. */
export function consequencesOf(
  document: Asked,
  outputs: CompileOptions["outputs"] = {},
  known: Known = createKnown(),
): Consequences {
  const { graph, mesh, requests } = document;
  const { planReshard, plans, systems } = known;
  plans.begin();
  const forward = propagate(graph, mesh.mesh, requests, planReshard, plans);
  const { plan, diagnostics, expanded } = withTraining(document, forward, known);
  const asked = readEnds(graph, mesh.mesh, outputs);
  const program = lower(expanded, { ...plan, ends: asked.ends }, planReshard, plans, systems);
  const sizes = valueBytes(program);
  const hardware = mesh.platform?.hardware ?? assumedHardware;
  return {
    diagnostics: [...diagnostics, ...reshardFindings(plan, program)],
    asked: asked.diagnostics,
    mesh: meshView(document),
    hardware,
    hardwareStatus: mesh.platform === undefined ? "assumed" : "set",
    graph,
    plan,
    program,
    tensors: tensorViews(expanded, plan, program),
    cost: estimate(program, hardware, sizes),
    memory: memoryOf(program, sizes),
  };
}

/** The consequences together with what only the text says. */
export function withWords(
  document: Document,
  { diagnostics, asked, ...consequences }: Consequences,
): Compiled {
  return {
    source: document.source,
    system: systemOf(document),
    diagnostics: inTextOrder(
      withRules(document, consequences.plan, [
        ...document.diagnostics,
        ...withStrategyFixes(document, diagnostics),
        ...asked,
      ]),
    ),
    ...consequences,
  };
}

/** The plan of the whole step: with `train`, that of backward and update operators too. */
function withTraining(
  { graph, mesh, training }: Asked,
  forward: ReturnType<typeof propagate>,
  { planReshard, plans }: Known,
): ReturnType<typeof propagate> & { readonly expanded: Graph } {
  if (training === undefined) return { ...forward, expanded: graph };
  const step = expandTraining(graph, forward.plan, training);
  const spread = propagate(step.graph, mesh.mesh, step.requests, planReshard, plans);
  const plan = { ...spread.plan, ...step.asked };
  const diagnostics = [...forward.diagnostics, ...step.diagnostics];
  return { plan, diagnostics, expanded: step.graph };
}

function meshView({ mesh }: Asked): MeshView {
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
