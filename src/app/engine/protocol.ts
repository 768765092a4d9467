import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { CanvasLayout, GalleryDrawing } from "#app/scene";
import type {
  AlternativeText,
  Compiled,
  EdgeComparison,
  Gesture,
  GestureOutcome,
  SystemRun,
  Weight,
} from "#compile";
import type { TensorId } from "#core/ir";
import type { PlanCode } from "./plan-code.ts";

/** What the application asks of a worker; `id` comes back with the answer. */
export type Question =
  | {
      readonly kind: "compile";
      readonly id: number;
      readonly source: string;
      /** Keys of the runs of equal blocks that are written out, if it shall be laid out as well. */
      readonly open?: readonly string[];
    }
  | {
      readonly kind: "gesture";
      readonly id: number;
      readonly source: string;
      readonly gesture: Gesture;
      readonly single: readonly string[];
    }
  | {
      readonly kind: "preview";
      readonly id: number;
      readonly source: string;
      readonly gestures: readonly Gesture[];
      /** Keys of the runs of equal blocks in which a gesture changes that run alone. */
      readonly single: readonly string[];
    }
  | {
      readonly kind: "assist";
      readonly id: number;
      readonly source: string;
      readonly request: LanguageRequest;
    }
  | {
      readonly kind: "draw";
      readonly id: number;
      readonly source: string;
      readonly shows: readonly string[] | undefined;
    }
  | {
      readonly kind: "alternatives";
      readonly id: number;
      readonly source: string;
      readonly redistribution: number;
    }
  | {
      readonly kind: "weigh";
      readonly id: number;
      readonly source: string;
      readonly tensor: TensorId;
    }
  | { readonly kind: "upstream-run"; readonly id: number; readonly source: string }
  | {
      readonly kind: "code";
      readonly id: number;
      readonly source: string;
      /** The engine that the plan is written for; the first of all when unsaid. */
      readonly target: string | undefined;
    }
  | {
      readonly kind: "policies";
      readonly id: number;
      readonly source: string;
      readonly redistribution: number;
    }
  | {
      readonly kind: "layout";
      readonly id: number;
      readonly source: string;
      /** Keys of the runs of equal blocks that are written out. */
      readonly open: readonly string[];
    };

/** What a worker answers. `failed` is a fault of ours, never of the text. */
export type Answer =
  /** Without a layout where none was asked for, the text has errors, or it would take long. */
  | {
      readonly kind: "compiled";
      readonly id: number;
      readonly compiled: Compiled;
      readonly layout?: CanvasLayout;
    }
  | { readonly kind: "laid-out"; readonly id: number; readonly layout: CanvasLayout }
  | { readonly kind: "gestured"; readonly id: number; readonly outcome: GestureOutcome }
  | { readonly kind: "previewed"; readonly id: number; readonly previews: readonly Preview[] }
  | { readonly kind: "drawn"; readonly id: number; readonly drawing: GalleryDrawing }
  | {
      readonly kind: "alternatives";
      readonly id: number;
      readonly texts: readonly AlternativeText[];
    }
  | { readonly kind: "weighed"; readonly id: number; readonly weight: Weight | undefined }
  | { readonly kind: "upstream-run"; readonly id: number; readonly run: SystemRun | undefined }
  | {
      readonly kind: "policies";
      readonly id: number;
      readonly comparison: EdgeComparison;
    }
  | { readonly kind: "code"; readonly id: number; readonly code: PlanCode }
  | { readonly kind: "assisted"; readonly id: number; readonly reply: LanguageReply }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** The numbers of the status bar, of one text: bytes per device, seconds. */
export interface Figures {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** What a gesture would do and cost, before anything is written. */
export interface Preview {
  readonly gesture: Gesture;
  readonly outcome: GestureOutcome;
  /** Absent when the gesture is refused or the new text has errors. */
  readonly figures?: Figures;
}

/** The numbers of a compiled text. */
export function figuresOf(compiled: Compiled): Figures {
  return {
    bytes: compiled.cost.bytes,
    peakBytes: compiled.memory.peakBytes,
    seconds: compiled.cost.seconds,
  };
}
