import { type Diagnostic, hasErrors, mergeRepeatedDiagnostics } from "#core/diagnostics";
import {
  costsOf,
  createPlanWriter,
  type PlanWriter,
  planDocument,
  planIntoText,
  plannedCosts,
  unpricedPart,
} from "#edit";
import type { Document } from "#language/document";
import {
  type Optimized,
  type OptimizeOptions,
  optimize,
  PlannerMemory,
  type PlanRequest,
} from "#planner";
import { graphFormatOf } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { readGraphOptions, requestTexts } from "./graph-request.ts";
import { instanceAnswer } from "./instance-request.ts";
import { unknownField } from "./optimize-options.ts";
import { refusedAnswer } from "./optimize-refused.ts";
import { reasonRows, rowsOf } from "./optimize-rows.ts";
import { asWritten } from "./optimize-written.ts";
import { planRequestOf, unpricedFault } from "./plan-request.ts";
import { platformFault, readPlatform } from "./platform-request.ts";

/**
 * `optimize`: the cheapest plan of a program under a cost model (commands.md). A graph's plan is
 * written into its plan text.
 */
export function optimizeAnswer(args: Arguments): Answer {
  const { program, hardware, instance } = args;
  const unknown = unknownField(args);
  if (unknown !== undefined) return { ok: false, diagnostics: [unknown] };
  if (instance !== undefined) return instanceAnswer(args);
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const platform = hardware === undefined ? undefined : readPlatform(hardware);
  if (platform?.ok === false) return { ok: false, diagnostics: platform.diagnostics };
  const graphOptions = readGraphOptions(args);
  if (!graphOptions.ok) return { ok: false, diagnostics: graphOptions.diagnostics };
  const texts = requestTexts(args);
  const { planText = "" } = texts;
  const isGraph = graphFormatOf(texts.program) !== undefined;
  const on = platform === undefined ? {} : { platform: platform.value };
  const document = planDocument(isGraph ? texts.program : program, {
    ...graphOptions.value,
    ...on,
    ...(isGraph && { planText }),
  });
  if (hasErrors(document.diagnostics)) return { ok: false, diagnostics: document.diagnostics };
  // Windows cannot be priced under any model.
  const unpriced = isGraph ? unpricedPart(document) : undefined;
  if (unpriced !== undefined) return { ok: false, diagnostics: [unpricedFault(unpriced)] };
  const request = planRequestOf(document, args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const lacking = platformFault(args, document.mesh.mesh);
  if (lacking !== undefined) return { ok: false, diagnostics: [lacking] };
  const memory = new PlannerMemory();
  const writer = createPlanWriter(document, memory.planReshard);
  const outcome = optimize(request.value, {
    memory,
    ...measuredBy({ document, writer }, request.value),
  });
  if (!outcome.ok) return refusedAnswer(document, request.value, outcome, args, memory);
  const answered = answeredBy({ document, writer, args, request: request.value }, outcome.value);
  const { found, text, notes } = answered;
  const rows = rowsOf(found, request.value);
  const reasons = reasonRows(document, request.value, found, memory);
  const fewer = fewerStrategies(outcome.value);
  const said = [...document.diagnostics, ...leftOut(request.value), ...fewer, ...notes];
  const written = isGraph ? { program: texts.program, planText: text } : { program: text };
  const diagnostics = mergeRepeatedDiagnostics(said);
  return { ok: true, ...rows, reasons, ...(text !== undefined && written), diagnostics };
}

/**
 * Warning about the part of a training step that a model of single-axis steps leaves out
 * (planner-plain.md §9).
 */
function leftOut({ model, microbatches }: PlanRequest): readonly Diagnostic[] {
  const count = microbatches?.count ?? 1;
  if (model === undefined || count === 1) return [];
  const message = `"${model.name}" plans a step of one batch: the objective and the bytes leave out that train(…) runs it in ${count} micro-batches`;
  return [{ code: "planner/one-batch", severity: "warning", message }];
}

/** Warning that not all strategies were considered. */
function fewerStrategies({ joined }: Optimized): readonly Diagnostic[] {
  if (joined === undefined) return [];
  const groups = joined.map((axes) => axes.join("*")).join(", ");
  const message = `the strategies on this mesh are too many to weigh: only those are that cut by ${groups}, in this order; the bound holds of all`;
  return [{ code: "planner/fewer-strategies", severity: "warning", message }];
}

interface Asked {
  readonly document: Document;
  readonly writer: PlanWriter;
  readonly args: Arguments;
  readonly request: PlanRequest;
}

/** A plan with its text; if no text can express it, a note says so. */
function answeredBy({ document, writer, args, request }: Asked, found: Optimized) {
  const { strategies, layouts } = found;
  const answered =
    request.model === undefined
      ? asWritten(writer, found, request, args)
      : { found, text: planIntoText(document, { strategies, ...layouts }), notes: [] };
  const { text, notes } = answered;
  if (text === undefined) return { ...answered, text: document.source, notes };
  if (text.ok) return { ...answered, text: text.source, notes: text.notes };
  return {
    ...answered,
    text: undefined,
    notes: [{ ...text.diagnostic, severity: "warning" } as const],
  };
}

/** The measure of a plan by its written text; absent when another cost model is named. */
function measuredBy(
  { document, writer }: Pick<Asked, "document" | "writer">,
  { model }: PlanRequest,
): Pick<OptimizeOptions, "measure" | "peakOf"> {
  if (model !== undefined) return {};
  const measure = ({ strategies, layouts }: Optimized) =>
    costsOf(writer.written({ strategies, ...layouts }).analysis);
  // Writing a text takes longer than compiling a plan, so peak memory is computed from the compiled
  // plan, and only the final plan is written.
  const peakOf = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts }).bytes;
  return { measure, peakOf };
}
