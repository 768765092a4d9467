import type { Reader } from "#compile";
import type { MachineFigures } from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";

/** A tensor that changes along with another one, with its own counterpart of the reader. */
export interface LinkedTensor {
  readonly tensor: TensorId;
  readonly reader?: Reader;
}

/** A change of one dim by the user. */
export interface DimGesture {
  /**
   * `split` adds an axis to the dim as its innermost one, `unsplit` removes it, `whole` removes
   * all. `set` makes `axes` the dim's axes. `move` takes an axis from another dim. `cycle` switches
   * to the next single axis that may split the dim, and after the last to none. `scatter` places a
   * result that is a partial sum over the axis: its parts are added into blocks of the dim.
   */
  readonly kind: "split" | "unsplit" | "whole" | "set" | "move" | "cycle" | "scatter";
  readonly tensor: TensorId;
  readonly dim: number;
  /**
   * For an input or parameter: the reader whose layout changes. For a placed result: its maker.
   * When absent, the layout at rest or the placed one changes.
   */
  readonly reader?: Reader;
  /**
   * Counterparts in other equal blocks, which change alike, since one drawing represents them all.
   */
  readonly alike?: readonly LinkedTensor[];
  /** The axis of `split`, `unsplit`, `move` and `scatter`. */
  readonly axis?: string;
  /** The axes of `set`, outermost first. */
  readonly axes?: readonly string[];
  /** For `set`: whether other dims lose the axes that this one takes. */
  readonly takesOver?: boolean;
  /** For `cycle`: whether it runs against mesh order. */
  readonly isBackward?: boolean;
}

/** A change of the mesh by the user. A text without a `Mesh(…)` gets one. */
export type MeshGesture =
  | { readonly kind: "add-axis"; readonly axis: string; readonly size: number }
  /**
   * Only for axes that the text does not name; a rename in the text itself follows the name
   * everywhere.
   */
  | { readonly kind: "rename-axis"; readonly axis: string; readonly to: string }
  | { readonly kind: "resize-axis"; readonly axis: string; readonly size: number }
  | { readonly kind: "order-axes"; readonly axes: readonly string[] }
  /** Also removes the axis from every strategy and layout. */
  | { readonly kind: "remove-axis"; readonly axis: string }
  /** Sets the machine; `sizes` are those of all axes, outermost first. */
  | {
      readonly kind: "set-hardware";
      readonly hardware: string;
      readonly sizes?: readonly number[];
    }
  /** All figures that override the machine's own; empty for none. */
  | { readonly kind: "set-figures"; readonly figures: MachineFigures };

/** A choice of a redistribution's steps. */
export interface StepsGesture {
  readonly kind: "choose-steps";
  /** Index of the redistribution in the program. */
  readonly redistribution: number;
  /** A plan of the planner's front by its number of steps, a system's own by name, or `default`. */
  readonly steps: number | string;
  /** Counterparts in other equal blocks, which take the same steps. */
  readonly alike?: readonly number[];
}

/** Pins a tensor and its maker, or removes that pin. */
export interface PinGesture {
  readonly kind: "pin";
  readonly name: string;
  readonly isPinned: boolean;
  /** Counterparts in other equal blocks, which are pinned along with it. */
  readonly alike?: readonly string[];
}

/** A change by the user. */
export type Gesture = DimGesture | MeshGesture | StepsGesture | PinGesture;

/** The effect of a gesture: the new text, or the reason why it is not possible. */
export type GestureOutcome =
  | {
      readonly ok: true;
      readonly label: string;
      readonly source: string;
      /**
       * The rule that keeps the dim whole in the operator, because of which the tensor is placed
       * instead.
       */
      readonly note?: string;
      /** The changed plan text of a graph in JSON. */
      readonly planText?: string;
      readonly selection?: Span;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** A possible gesture instead of this one, with its label. */
      readonly instead?: { readonly gesture: DimGesture; readonly label: string };
    };
