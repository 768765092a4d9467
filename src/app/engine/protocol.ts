import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { GalleryDrawing } from "#app/scene";
import type { PlanDrawing } from "#app/scene/board";
import type { CanvasLayout } from "#app/scene/graph";
import type { Compiled, EdgeComparison, SystemRun } from "#compile";
import type { TensorId } from "#core/ir";
import type {
  AlternativeText,
  Gesture,
  GestureOutcome,
  RecomputeEdit,
  RecomputeSelection,
  TextCost,
} from "#edit";
import type { PlanCode } from "./plan-code.ts";

/** Questions to a compiler worker, each about one text. */
export interface Questions {
  /**
   * Compiles the text on screen, and lays it out if it is drawn as a graph. The layout is absent if
   * the text has errors, is drawn by rows or is large; the page then asks for `layout`.
   */
  compile: {
    takes: OfText & Drawn;
    gives: CompiledAndPlaced;
  };
  /** Compiles a text that is not on screen. */
  "compile-aside": { takes: OfText; gives: Compiled };
  /** Positions of everything on the canvas; `open` as in `compile`. */
  layout: { takes: OfText & { readonly open: readonly string[] }; gives: CanvasLayout };
  /** Text after a gesture, compiled and laid out with the drawing of the old text. */
  gesture: { takes: OnBlocks & Drawn & { readonly gesture: Gesture }; gives: WrittenGesture };
  /** Effect and cost of each gesture. */
  preview: {
    takes: OnBlocks & { readonly gestures: readonly Gesture[] };
    gives: readonly Preview[];
  };
  /** Request of a text editor. */
  assist: { takes: OfText & { readonly request: LanguageRequest }; gives: LanguageReply };
  /** Drawing of a gallery card; restricted to the tensors named by `shows`, if given. */
  draw: {
    takes: OfText & { readonly shows: readonly string[] | undefined };
    gives: GalleryDrawing;
  };
  /** Texts that may reduce the cost of a redistribution. */
  alternatives: { takes: OnEdge; gives: readonly AlternativeText[] };
  /** Cost of a text and of its redistributions of one tensor; `undefined` if it has errors. */
  weigh: { takes: OfText & { readonly tensor: TensorId }; gives: TextCost | undefined };
  /** Sequences of steps that each policy chooses for a redistribution. */
  policies: { takes: OnEdge; gives: EdgeComparison };
  /** Program as its own system would run it; `undefined` if it is not written for one system. */
  "upstream-run": { takes: OfText; gives: SystemRun | undefined };
  /** Text with activation recomputation written into it. */
  recompute: { takes: OfText & { readonly again: RecomputeSelection }; gives: RecomputeEdit };
  /** Plan as code for an engine; the first engine if `target` is `undefined`. */
  code: { takes: OfText & { readonly target: string | undefined }; gives: PlanCode };
}

interface OfText {
  readonly source: string;
}

/** Options of a program's drawing. */
interface Drawn {
  /** Keys of the expanded runs of equal blocks. */
  readonly open: readonly string[];
  /** Drawing that the reader chose; if `undefined`, the program's size decides. */
  readonly drawing: PlanDrawing | undefined;
}

/** Question about one redistribution, by its index in the text's program. */
interface OnEdge extends OfText {
  readonly redistribution: number;
}

/** Question about gestures, which apply to all equal blocks except in runs listed in `single`. */
interface OnBlocks extends OfText {
  /** Keys of the runs in which a gesture changes one block alone. */
  readonly single: readonly string[];
}

/** Compiled text, with its canvas layout if that was computed. */
export interface CompiledAndPlaced {
  readonly compiled: Compiled;
  readonly layout?: CanvasLayout;
}

/** Outcome of a gesture, with the new text compiled. */
export interface WrittenGesture {
  readonly outcome: GestureOutcome;
  /** New text as `compile` answers it; absent if the gesture is refused or the program is large. */
  readonly next?: CompiledAndPlaced;
}

/** Status bar figures: bytes that a device receives, its peak bytes, modelled seconds. */
export interface Figures {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** Effect and cost of a gesture that is not applied. */
export interface Preview {
  readonly gesture: Gesture;
  readonly outcome: GestureOutcome;
  /** Absent if the gesture is refused or the new text has errors. */
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
