import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { wholeAxis } from "#core/mesh";
import { checkStrategy, type Strategy } from "#core/plan";
import type { Document } from "../read-document.ts";
import { axesText } from "../trace/axes-text.ts";
import type { StrategyCall } from "../trace/trace.ts";
import { removal } from "./edit.ts";
import { argumentRemoval } from "./edit-mesh.ts";

type Cut = StrategyCall["cuts"][number];

/**
 * Adds fixes to diagnostics of `strategy(…)` calls: the cut over as many of its axes as are legal,
 * the identifier whole, or no `carry`.
 */
export function withStrategyFixes(
  document: Document,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const calls = callsByPlace(document);
  const lesserCuts = new Map<StrategyCall, readonly LesserCut[]>();
  return diagnostics.map((diagnostic) => {
    const call = diagnostic.span && calls.get(placeOf(diagnostic.span));
    if (call === undefined || diagnostic.fixes !== undefined) return diagnostic;
    if (diagnostic.code === "plan/cannot-carry")
      return withFix(diagnostic, uncarried(document, call));
    const lesser = lesserCuts.get(call) ?? lesserCutsOf(document, call);
    lesserCuts.set(call, lesser);
    const silent = lesser.find(({ says }) => !says().has(wordsOf(diagnostic)));
    return withFix(diagnostic, silent && fixFor(document.source, silent.cut, silent.kept));
  });
}

function withFix(diagnostic: Diagnostic, fix: Fix | undefined): Diagnostic {
  return fix === undefined ? diagnostic : { ...diagnostic, fixes: [fix] };
}

/** First call at each span; a loop runs the same expression several times. */
function callsByPlace({ trace }: Document): ReadonlyMap<string, StrategyCall> {
  const calls = new Map<string, StrategyCall>();
  for (const call of trace.strategies) {
    const place = placeOf(call.span);
    if (!calls.has(place)) calls.set(place, call);
  }
  return calls;
}

function placeOf({ from, to }: Span): string {
  return `${from} ${to}`;
}

function uncarried({ source }: Document, { carry, span }: StrategyCall): Fix | undefined {
  if (carry === undefined) return undefined;
  return { title: "Take carry out", edits: [argumentRemoval(source, span, carry.span)] };
}

/** A cut of a call with fewer of its axes. */
interface LesserCut {
  readonly cut: Cut;
  readonly kept: readonly string[];
  /**
   * Diagnostics (code and message) that the lesser cut causes over all operators of the call.
   * Computed once, since there may be thousands of operators.
   */
  readonly says: () => ReadonlySet<string>;
}

/**
 * Each cut of the call without some of its axes: last cut first, and most axes first within a cut.
 */
function lesserCutsOf(document: Document, call: StrategyCall): readonly LesserCut[] {
  const operators = document.graph.operators.filter(
    ({ id }) => document.strategyCalls.get(id) === call,
  );
  return call.cuts.toReversed().flatMap((cut) =>
    cut.written.axes.map((_, more): LesserCut => {
      const kept = cut.written.axes.slice(0, -1 - more).map(({ name }) => name);
      let said: ReadonlySet<string> | undefined;
      const says = () => {
        said ??= saidOf(document, operators, strategyOf(document, call, cut, kept));
        return said;
      };
      return { cut, kept, says };
    }),
  );
}

function saidOf(
  { graph, mesh: { mesh } }: Document,
  operators: readonly Operator[],
  strategy: Strategy,
): ReadonlySet<string> {
  const plan = { strategy, mesh, status: "set" } as const;
  return new Set(
    operators.flatMap((operator) => checkStrategy(graph, operator, plan).map(wordsOf)),
  );
}

function wordsOf({ code, message }: Pick<Diagnostic, "code" | "message">): string {
  return `${code} ${message}`;
}

/** Strategy of a call when one of its cuts has other axes. */
function strategyOf(
  { mesh: { mesh } }: Document,
  { cuts }: StrategyCall,
  changed: Cut,
  kept: readonly string[],
): Strategy {
  const entries = cuts.map((cut) => {
    const names = cut === changed ? kept : cut.written.axes.map(({ name }) => name);
    const known = names.filter((name) => mesh.axes.some((axis) => axis.name === name));
    return [cut.key, known.map((name) => wholeAxis(mesh, name))] as const;
  });
  return { cuts: Object.fromEntries(entries), carry: [] };
}

function fixFor(source: string, cut: Cut, kept: readonly string[]): Fix {
  const edit: TextEdit =
    kept.length === 0 ? removal(source, cut) : { ...cut.written.span, text: axesText(kept) };
  const title =
    kept.length === 0
      ? `Leave "${cut.key}" whole`
      : `Split "${cut.key}" over ${kept.map((name) => `"${name}"`).join(", ")} only`;
  return { title, edits: [edit] };
}
