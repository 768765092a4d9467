import { type Compiled, type CompileOptions, compile } from "#compile";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { Plan } from "#core/plan";
import {
  type AlternativeText,
  alternativeTexts,
  applyGesture,
  type Gesture,
  type GestureOutcome,
  priceAlternative,
  type TextCost,
} from "#edit";
import { editInPlan, joinTexts, splitTexts, type TwoTexts } from "#language/texts";
import { graphFormatOf } from "#systems";

/**
 * Compiles the text of an editor: a program, or a graph and its plan joined in one text. All spans
 * refer to that text.
 */
export function compileText(source: string): Compiled {
  const texts = splitTexts(source);
  return texts === undefined ? compile(source) : inOneText(compileTwo(texts), source, texts);
}

/** `compileText` for separate texts: spans of the plan refer to the plan. */
export function compileTwo(texts: TwoTexts): Compiled {
  return compile(texts.json, optionsOf(texts));
}

function optionsOf({ json, plan }: TwoTexts): CompileOptions {
  const dtypes = graphFormatOf(json)?.allowedDtypes(plan);
  return { planText: plan, ...(dtypes !== undefined && { dtypes }) };
}

/** The text of an editor after a gesture. */
export function gestureText(source: string, gesture: Gesture): GestureOutcome {
  const texts = splitTexts(source);
  if (texts === undefined) return applyGesture(source, gesture);
  const outcome = applyGesture(texts.json, gesture, optionsOf(texts));
  if (!outcome.ok) return outcome;
  const { selection, planText = texts.plan, label } = outcome;
  const joined = joinTexts(outcome.source, planText);
  const from = splitTexts(joined)?.planFrom ?? 0;
  return {
    ok: true,
    label,
    source: joined,
    ...(selection !== undefined && { selection: moved(selection, from) }),
  };
}

/** Texts that may make a redistribution cheaper or remove it, each as an editor's text. */
export function alternativesOf(source: string, redistribution: number): readonly AlternativeText[] {
  const texts = splitTexts(source);
  if (texts === undefined) return alternativeTexts(source, redistribution);
  const found = alternativeTexts(texts.json, redistribution, optionsOf(texts));
  return found.map(({ label, source: json, planText = texts.plan }) => ({
    label,
    source: joinTexts(json, planText),
  }));
}

/**
 * The cost of an editor's text, and the bytes that it sends of one tensor; `undefined` if it has
 * errors.
 */
export function weigh(source: string, tensor: TensorId): TextCost | undefined {
  const texts = splitTexts(source);
  return texts === undefined
    ? priceAlternative(source, tensor)
    : priceAlternative(texts.json, tensor, optionsOf(texts));
}

/** The compiled result of two texts, with all spans shifted into the joined text. */
export function inOneText(compiled: Compiled, source: string, texts: TwoTexts): Compiled {
  const { planFrom } = texts;
  const { mesh, plan, tensors, diagnostics } = compiled;
  const sizeSpans = Object.fromEntries(
    Object.entries(mesh.sizeSpans).map(([axis, span]) => [axis, moved(span, planFrom)]),
  );
  return {
    ...compiled,
    source,
    diagnostics: diagnostics.map((each) => diagnosticInOne(each, texts)),
    mesh: { ...withSpan(mesh, planFrom), sizeSpans },
    plan: planInOne(plan, planFrom),
    tensors: tensors.map((view) => withSpan(view, planFrom)),
  };
}

function planInOne(plan: Plan, planFrom: number): Plan {
  const shifted = <Id, T extends { readonly span?: Span }>(map: ReadonlyMap<Id, T>) =>
    new Map([...map].map(([id, value]) => [id, withSpan(value, planFrom)]));
  return {
    ...plan,
    operators: shifted(plan.operators),
    placements: shifted(plan.placements),
  };
}

function diagnosticInOne(diagnostic: Diagnostic, texts: TwoTexts): Diagnostic {
  const { text, ...rest } = diagnostic;
  if (text === "plan") {
    const { related, fixes, ...own } = withSpan(rest, texts.planFrom);
    return {
      ...own,
      ...(related !== undefined && {
        related: related.map((each) => withSpan(each, texts.planFrom)),
      }),
      ...(fixes !== undefined && { fixes: fixes.map((fix) => fixInOne(fix, texts)) }),
    };
  }
  const inPlan = graphFormatOf(texts.json)?.fixInPlan(rest, texts);
  if (inPlan === undefined) return rest;
  return { ...rest, fixes: [fixInOne(inPlan, texts), ...(rest.fixes ?? [])] };
}

function fixInOne(fix: Fix, texts: TwoTexts): Fix {
  return { ...fix, edits: fix.edits.map((edit) => editInPlan(texts, edit)) };
}

function withSpan<T extends { readonly span?: Span }>(value: T, by: number): T {
  return value.span === undefined ? value : { ...value, span: moved(value.span, by) };
}

function moved({ from, to }: Span, by: number): Span {
  return { from: from + by, to: to + by };
}
