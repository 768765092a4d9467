import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { wholeAxis } from "#core/mesh";
import { checkStrategy, type Strategy } from "#core/plan";
import { axesText } from "./axes-text.ts";
import { removal } from "./edit.ts";
import { argumentRemoval } from "./edit-mesh.ts";
import type { Document } from "./read-document.ts";
import type { StrategyCall } from "./trace.ts";

type Cut = StrategyCall["cuts"][number];

/**
 * Diagnostics of `strategy(…)` calls with fixes: the cut over as many of its axes as are legal, the
 * identifier whole, or no `carry`.
 */
export function withStrategyFixes(
  document: Document,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const call = callAt(document, diagnostic.span);
    if (call === undefined || diagnostic.fixes !== undefined) return diagnostic;
    const fix =
      diagnostic.code === "plan/cannot-carry"
        ? uncarried(document, call)
        : lesserCut(document, call, diagnostic);
    return fix === undefined ? diagnostic : { ...diagnostic, fixes: [fix] };
  });
}

function callAt({ trace }: Document, span: Span | undefined): StrategyCall | undefined {
  return trace.strategies.find(({ span: { from, to } }) => from === span?.from && to === span.to);
}

function uncarried({ source }: Document, { carry, span }: StrategyCall): Fix | undefined {
  if (carry === undefined) return undefined;
  return { title: "Take carry out", edits: [argumentRemoval(source, span, carry.span)] };
}

/** The last cut of the call that can do without some of its axes so that nothing is said of it. */
function lesserCut(document: Document, call: StrategyCall, said: Diagnostic): Fix | undefined {
  const operators = document.graph.operators.filter(
    ({ id }) => document.strategyCalls.get(id) === call,
  );
  const isSaid = (operator: Operator, strategy: Strategy) =>
    checkStrategy(document.graph, operator, {
      strategy,
      mesh: document.mesh.mesh,
      status: "set",
    }).some(({ message, code }) => message === said.message && code === said.code);
  for (const cut of call.cuts.toReversed()) {
    const { axes } = cut.written;
    for (const [more] of axes.entries()) {
      const kept = axes.slice(0, axes.length - 1 - more).map(({ name }) => name);
      const stays = operators.some((each) => isSaid(each, strategyOf(document, call, cut, kept)));
      if (!stays) return fixFor(document.source, cut, kept);
    }
  }
  return undefined;
}

/** What a call says when one of its cuts is over other axes. */
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
