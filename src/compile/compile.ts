import { modelFlops } from "#core/cost";
import { type Diagnostic, mergeRepeatedDiagnostics } from "#core/diagnostics";
import type { Document } from "#language/document";
import { withStrategyFixes } from "#language/document/edit";
import { readDocument, readGraph, textModel, textModules } from "#systems";
import type { GraphDocuments } from "#systems/system/graph";
import { type Analysis, analyze } from "./analyze.ts";
import type { Compiled, CompileOptions } from "./compiled.ts";
import { systemFindings, systemOf, withRules } from "./system-answers.ts";
import { verdictsOf } from "./verdicts.ts";
import { writtenLines } from "./written-lines.ts";

/**
 * Compiles a text into everything derived from it (architecture.md §3), as one pure function;
 * `options` supply what the text leaves open. Never throws for a text: parts that cannot be read
 * become diagnostics, the rest stays.
 */
export function compile(source: string, options: CompileOptions = {}): Compiled {
  const read = readGraph(source, options);
  if (read === undefined)
    return compileDocument(readDocument(source, options.platform, options.as), options);
  return withGraph(compileDocument(read.document, options), read, source);
}

/** A compiled plan joined with its graph. */
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

/** An analysis joined with facts found in the text only. */
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
    diagnostics: mergeRepeatedDiagnostics(
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
  // Functions cannot be sent to a page, so these fields are not enumerable and are left out when
  // sending.
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

/** Diagnostics in order of their spans; those without a span come last. */
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
