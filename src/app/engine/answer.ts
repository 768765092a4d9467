import type { LanguageService } from "#app/language-service";
import { galleryDrawing } from "#app/scene";
import { isDrawnByRows } from "#app/scene/board";
import { extendToEqualBlocks, type Layouter } from "#app/scene/graph";
import { type Compiled, comparePolicies, type EdgeComparison, upstreamRun } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { PlanReshard } from "#core/reshard";
import {
  type AlternativeText,
  type Gesture,
  type GestureOutcome,
  recomputeEdit,
  type TextCost,
} from "#edit";
import { planCode } from "./plan-code.ts";
import {
  type CompiledAndPlaced,
  figuresOf,
  type Preview,
  type Questions,
  type WrittenGesture,
} from "./protocol.ts";
import type { Handlers } from "./question.ts";

/** Functions that a compiler worker calls to answer questions. */
export interface Compiler {
  readonly compile: (source: string) => Compiled;
  readonly applyGesture: (source: string, gesture: Gesture) => GestureOutcome;
  readonly assist: LanguageService["assist"];
  readonly layOut: Layouter;
  /** Plans a redistribution; caches the ones planned before. */
  readonly planReshard: PlanReshard;
  readonly alternativeTexts: (source: string, redistribution: number) => readonly AlternativeText[];
  readonly weighAlternative: (source: string, tensor: TensorId) => TextCost | undefined;
}

/** Handlers of all questions, built on a compiler. */
export function answersOf(compiler: Compiler): Handlers<Questions> {
  const { compile } = compiler;
  const outcomeOf = gestureIn(compiler);
  return {
    compile: (asked) => compiledAndPlaced(compiler, asked),
    "compile-aside": ({ source }) => compile(source),
    layout: ({ source, open }) => compiler.layOut(compile(source), open),
    gesture: (asked) => writtenGesture(compiler, asked, outcomeOf(asked, asked.gesture)),
    preview: (asked) =>
      asked.gestures.map((gesture) => previewOf(gesture, outcomeOf(asked, gesture), compile)),
    assist: ({ source, request }) => compiler.assist(source, request),
    draw: ({ source, shows }) => galleryDrawing(compile(source), shows),
    alternatives: ({ source, redistribution }) => compiler.alternativeTexts(source, redistribution),
    weigh: ({ source, tensor }) => compiler.weighAlternative(source, tensor),
    policies: (asked) => policiesOf(compiler, asked),
    "upstream-run": ({ source }) => upstreamRun(compile(source)),
    recompute: ({ source, again }) => recomputeEdit(source, again),
    code: ({ source, target }) => planCode(compile(source), target),
  };
}

type Takes<Kind extends keyof Questions> = Questions[Kind]["takes"];

/**
 * Largest number of operators for which the layout is sent together with the compiled text. For
 * larger programs the page asks for the layout separately, once it has the compiled text.
 */
const mostLaidOut = 2_000;

function compiledAndPlaced(
  { compile, layOut }: Compiler,
  { source, open, drawing }: Takes<"compile">,
): CompiledAndPlaced {
  const compiled = compile(source);
  const { graph, diagnostics } = compiled;
  const isSmall = graph.operators.length <= mostLaidOut;
  const isGraph = drawing === undefined ? !isDrawnByRows(compiled) : drawing === "graph";
  if (!isSmall || !isGraph || hasErrors(diagnostics)) return { compiled };
  return { compiled, layout: layOut(compiled, open) };
}

function policiesOf(
  { compile, planReshard }: Compiler,
  { source, redistribution }: Takes<"policies">,
): EdgeComparison {
  const { program } = compile(source);
  const edge = program.redistributions.find(({ index }) => index === redistribution);
  if (edge === undefined) return { tensorBytes: 0, ours: [], outcomes: [] };
  return comparePolicies(program, edge, planReshard);
}

/** Applies a gesture to all equal blocks, except blocks of runs listed in `single`. */
function gestureIn({ compile, applyGesture }: Compiler) {
  return ({ source, single }: Takes<"gesture" | "preview">, gesture: Gesture): GestureOutcome =>
    applyGesture(source, extendToEqualBlocks(compile(source), gesture, single));
}

/**
 * Outcome of a gesture together with the compiled new text, so that the page paints text and
 * drawing in one frame. For a large program only the text is returned.
 */
function writtenGesture(
  compiler: Compiler,
  { source, open, drawing }: Takes<"gesture">,
  outcome: GestureOutcome,
): WrittenGesture {
  const isLarge = compiler.compile(source).graph.operators.length > mostLaidOut;
  if (!outcome.ok || isLarge) return { outcome };
  return { outcome, next: compiledAndPlaced(compiler, { source: outcome.source, open, drawing }) };
}

function previewOf(
  gesture: Gesture,
  outcome: GestureOutcome,
  compile: Compiler["compile"],
): Preview {
  if (!outcome.ok) return { gesture, outcome };
  const compiled = compile(outcome.source);
  if (hasErrors(compiled.diagnostics)) return { gesture, outcome };
  return { gesture, outcome, figures: figuresOf(compiled) };
}
