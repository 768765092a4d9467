import type { LanguageService } from "#app/language-service";
import { galleryDrawing, inEqualBlocks, type Layouter } from "#app/scene";
import {
  type AlternativeText,
  type Compiled,
  comparePolicies,
  type EdgeComparison,
  type Gesture,
  type GestureOutcome,
  upstreamRun,
  type Weight,
} from "#compile";
import { hasErrors, unreachable } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { PlanReshard } from "#core/reshard";
import { planCode } from "./plan-code.ts";
import { type Answer, figuresOf, type Preview, type Question } from "./protocol.ts";

/** The pure functions that a worker serves. */
export interface Compiler {
  readonly compile: (source: string) => Compiled;
  readonly applyGesture: (source: string, gesture: Gesture) => GestureOutcome;
  readonly assist: LanguageService["assist"];
  readonly layOut: Layouter;
  /** Remembers the redistributions that were looked at. */
  readonly planReshard: PlanReshard;
  readonly alternativeTexts: (source: string, redistribution: number) => readonly AlternativeText[];
  readonly weighAlternative: (source: string, tensor: TensorId) => Weight | undefined;
}

/** A question that is answered at once; code is written by what is loaded first. */
type PromptQuestion = Exclude<Question, { readonly kind: "code" }>;

/** The answer to one question; a thrown fault becomes the answer `failed`. */
export function answer(question: PromptQuestion, compiler: Compiler): Answer {
  try {
    return answerOf(question, compiler);
  } catch (fault) {
    return failedAnswer(question.id, fault);
  }
}

/** The plan of a text as code. It never rejects. */
export async function codeAnswer(
  { id, source, target }: Extract<Question, { readonly kind: "code" }>,
  { compile }: Pick<Compiler, "compile">,
): Promise<Answer> {
  try {
    return { kind: "code", id, code: await planCode(compile(source), target) };
  } catch (fault) {
    return failedAnswer(id, fault);
  }
}

function failedAnswer(id: number, fault: unknown): Answer {
  const message = fault instanceof Error ? fault.message : String(fault);
  return { kind: "failed", id, message };
}

function answerOf(question: PromptQuestion, compiler: Compiler): Answer {
  const { id, source } = question;
  switch (question.kind) {
    case "compile":
      return compiledAnswer(question, compiler);
    case "gesture":
      return { kind: "gestured", id, outcome: outcomeOf(question, question.gesture, compiler) };
    case "preview":
      return {
        kind: "previewed",
        id,
        previews: question.gestures.map((gesture) => previewOf(question, gesture, compiler)),
      };
    case "assist":
      return { kind: "assisted", id, reply: compiler.assist(source, question.request) };
    case "draw":
      return {
        kind: "drawn",
        id,
        drawing: galleryDrawing(compiler.compile(source), question.shows),
      };
    case "alternatives":
      return {
        kind: "alternatives",
        id,
        texts: compiler.alternativeTexts(source, question.redistribution),
      };
    case "weigh":
      return { kind: "weighed", id, weight: compiler.weighAlternative(source, question.tensor) };
    case "upstream-run":
      return { kind: "upstream-run", id, run: upstreamRun(compiler.compile(source)) };
    case "policies":
      return { kind: "policies", id, comparison: policiesOf(question, compiler) };
    case "layout":
      return {
        kind: "laid-out",
        id,
        layout: compiler.layOut(compiler.compile(source), question.open),
      };
    default:
      return unreachable(question);
  }
}

/** Above so many operators a layout is answered apart: slices are shown before it is there. */
const mostLaidOut = 2_000;

function compiledAnswer(
  { id, source, open }: Extract<Question, { kind: "compile" }>,
  compiler: Compiler,
): Answer {
  const compiled = compiler.compile(source);
  const isSmall = compiled.graph.operators.length <= mostLaidOut;
  if (open === undefined || !isSmall || hasErrors(compiled.diagnostics)) {
    return { kind: "compiled", id, compiled };
  }
  return { kind: "compiled", id, compiled, layout: compiler.layOut(compiled, open) };
}

function policiesOf(
  { source, redistribution }: Extract<Question, { kind: "policies" }>,
  compiler: Compiler,
): EdgeComparison {
  const { program } = compiler.compile(source);
  const edge = program.redistributions.find(({ index }) => index === redistribution);
  if (edge === undefined) return { tensorBytes: 0, ours: [], outcomes: [] };
  return comparePolicies(program, edge, compiler.planReshard);
}

type OnGestures = Extract<Question, { kind: "gesture" | "preview" }>;

/** A gesture in one of equal blocks is made in all of them, but for those that are changed alone. */
function outcomeOf(
  { source, single }: OnGestures,
  gesture: Gesture,
  compiler: Compiler,
): GestureOutcome {
  return compiler.applyGesture(source, inEqualBlocks(compiler.compile(source), gesture, single));
}

function previewOf(question: OnGestures, gesture: Gesture, compiler: Compiler): Preview {
  const outcome = outcomeOf(question, gesture, compiler);
  if (!outcome.ok) return { gesture, outcome };
  const compiled = compiler.compile(outcome.source);
  if (hasErrors(compiled.diagnostics)) return { gesture, outcome };
  return { gesture, outcome, figures: figuresOf(compiled) };
}
