import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { GalleryDrawing } from "#app/scene";
import type { PlanDrawing } from "#app/scene/board";
import type { CanvasLayout } from "#app/scene/graph";
import type { Compiled, EdgeComparison, SystemRun } from "#compile";
import type { TensorId } from "#core/ir";
import type { Again, AlternativeText, Gesture, GestureOutcome, RecomputeEdit, Weight } from "#edit";
import type { PlanCode } from "./plan-code.ts";

/**
 * The questions to a compiler, each about one text. A new question is an entry here and a handler.
 */
export interface Questions {
  /**
   * The text on screen, compiled, and laid out where it is drawn as a graph. Without a layout if the
   * text has errors, is drawn by rows or would take long to lay out: then `layout` is asked for.
   */
  compile: {
    takes: OfText & Drawn;
    gives: CompiledAndPlaced;
  };
  /** A text that is not on screen, compiled. */
  "compile-aside": { takes: OfText; gives: Compiled };
  /** The positions of everything on the canvas; `open` as in `compile`. */
  layout: { takes: OfText & { readonly open: readonly string[] }; gives: CanvasLayout };
  /** The text after a gesture, drawn as the text before it. */
  gesture: { takes: OnBlocks & Drawn & { readonly gesture: Gesture }; gives: WrittenGesture };
  /** The effect and cost of each gesture. */
  preview: {
    takes: OnBlocks & { readonly gestures: readonly Gesture[] };
    gives: readonly Preview[];
  };
  /** A request of an editor. */
  assist: { takes: OfText & { readonly request: LanguageRequest }; gives: LanguageReply };
  /** A card of the gallery; only the tensors named by `shows`, if given. */
  draw: {
    takes: OfText & { readonly shows: readonly string[] | undefined };
    gives: GalleryDrawing;
  };
  /** Texts that may need less of a redistribution. */
  alternatives: { takes: OnEdge; gives: readonly AlternativeText[] };
  /** The cost of a text, and of its redistributions of one tensor; `undefined` if it has errors. */
  weigh: { takes: OfText & { readonly tensor: TensorId }; gives: Weight | undefined };
  /** The sequences of steps that each policy takes on an edge. */
  policies: { takes: OnEdge; gives: EdgeComparison };
  /**
   * The program as its own system would run it; `undefined` if it is not written for one system.
   */
  "upstream-run": { takes: OfText; gives: SystemRun | undefined };
  /** The text with recomputed blocks written into it. */
  recompute: { takes: OfText & { readonly again: Again }; gives: RecomputeEdit };
  /** The plan as code of an engine; of the first one if `target` is undefined. */
  code: { takes: OfText & { readonly target: string | undefined }; gives: PlanCode };
}

interface OfText {
  readonly source: string;
}

/** How a program is drawn. */
interface Drawn {
  /** Keys of the runs of equal blocks that are written out. */
  readonly open: readonly string[];
  /** The drawing that the reader chose; by default the program's size decides. */
  readonly drawing: PlanDrawing | undefined;
}

/** About one redistribution of a text's program, by its index. */
interface OnEdge extends OfText {
  readonly redistribution: number;
}

/**
 * A question about gestures: one in a block changes all equal blocks, except in runs named here.
 */
interface OnBlocks extends OfText {
  /** Keys of the runs of equal blocks in which one block is changed alone. */
  readonly single: readonly string[];
}

/** A compiled text, perhaps with its layout on the canvas. */
export interface CompiledAndPlaced {
  readonly compiled: Compiled;
  readonly layout?: CanvasLayout;
}

/** The outcome of a gesture. */
export interface WrittenGesture {
  readonly outcome: GestureOutcome;
  /** The new text as `compile` answers it, unless the gesture is refused or the program is large. */
  readonly next?: CompiledAndPlaced;
}

/**
 * The figures of the status bar: bytes that a device receives, its peak bytes, modelled seconds.
 */
export interface Figures {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** The effect and cost of a gesture, before anything is written. */
export interface Preview {
  readonly gesture: Gesture;
  readonly outcome: GestureOutcome;
  /** Absent when the gesture is refused or the new text has errors. */
  readonly figures?: Figures;
}

/** The figures of a compiled text. */
export function figuresOf(compiled: Compiled): Figures {
  return {
    bytes: compiled.cost.bytes,
    peakBytes: compiled.memory.peakBytes,
    seconds: compiled.cost.seconds,
  };
}
