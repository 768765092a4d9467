import { planIntoText } from "#compile";
import { type Diagnostic, hasErrors } from "#core/diagnostics";
import { type Document, readDocument } from "#language/document";
import { type Optimized, optimize, PlannerMemory } from "#planner";
import { isLoomText } from "#systems/loom";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { instanceAnswer } from "./instance-request.ts";
import { measureOf, refusedAnswer } from "./optimize-refused.ts";
import { reasonRows, rowsOf } from "./optimize-rows.ts";
import { planRequestOf } from "./plan-request.ts";
import { readPlatform } from "./platform-request.ts";

/** `optimize`: the cheapest plan of a program under a cost model (commands.md). */
export function optimizeAnswer(args: Arguments): Answer {
  const { program, hardware, instance } = args;
  if (instance !== undefined) return instanceAnswer(args);
  if (typeof program !== "string") return badRequest('"program" must be a text');
  const platform = hardware === undefined ? undefined : readPlatform(hardware);
  if (platform?.ok === false) return { ok: false, diagnostics: platform.diagnostics };
  if (isLoomText(program)) {
    return {
      ok: false,
      diagnostics: [unpriced],
    };
  }
  const document = readDocument(program, platform?.value);
  if (hasErrors(document.diagnostics)) return { ok: false, diagnostics: document.diagnostics };
  const request = planRequestOf(document, args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const memory = new PlannerMemory();
  const outcome = optimize(request.value, { memory, ...measureOf(document, request.value) });
  if (!outcome.ok) return refusedAnswer(document, request.value, outcome, args, memory);
  const rows = rowsOf(outcome.value, request.value);
  const reasons = reasonRows(document, request.value, outcome.value, memory);
  const { program: text, notes } = textOf(document, outcome.value);
  const diagnostics = [...document.diagnostics, ...notes];
  return { ok: true, ...rows, reasons, ...(text !== undefined && { program: text }), diagnostics };
}

/** The text with the plan written in; a text that has no words for it is a note. */
function textOf(document: Document, { strategies, layouts }: Optimized) {
  const text = planIntoText(document, { strategies, ...layouts });
  if (text.ok) return { program: text.source, notes: text.notes };
  return { notes: [{ ...text.diagnostic, severity: "warning" } as const] };
}

const unpriced: Diagnostic = {
  code: "planner/unpriced",
  severity: "error",
  message: "LoomGraphs are not planned yet",
};
