import type { Reader } from "#compile";
import type { MachineFigures } from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";

/** A tensor that changes with another one, and its own reader in place of that one's. */
export interface Alike {
  readonly tensor: TensorId;
  readonly reader?: Reader;
}

/** A change of one dim by hand. */
export interface DimGesture {
  /**
   * `split` adds an axis to the dim as its innermost one, `unsplit` removes it, `whole` removes
   * all. `set` makes `axes` the dim's axes. `move` takes an axis from another dim. `cycle` goes on
   * to the next single axis that may split the dim, and after the last to whole. `scatter` places a
   * result that is a sum over the axis: its parts are added into blocks of the dim.
   */
  readonly kind: "split" | "unsplit" | "whole" | "set" | "move" | "cycle" | "scatter";
  readonly tensor: TensorId;
  readonly dim: number;
  /**
   * For an input or parameter: the reader whose layout changes. For a result that the text places:
   * its maker. When absent, the layout at rest or the placed one changes.
   */
  readonly reader?: Reader;
  /** The same targets in other equal blocks, which change alike: one drawing stands for all. */
  readonly alike?: readonly Alike[];
  /** The axis of `split`, `unsplit`, `move` and `scatter`. */
  readonly axis?: string;
  /** The axes of `set`, outermost first. */
  readonly axes?: readonly string[];
  /** For `set`: whether other dims lose the axes that this one takes. */
  readonly takesOver?: boolean;
  /** For `cycle`: whether it goes against the order of the mesh. */
  readonly isBackward?: boolean;
}

/** A change of the mesh by hand. A text without a `Mesh(…)` gets one. */
export type MeshGesture =
  | { readonly kind: "add-axis"; readonly axis: string; readonly size: number }
  /** For axes that no text names; elsewhere a rename follows the name through the text. */
  | { readonly kind: "rename-axis"; readonly axis: string; readonly to: string }
  | { readonly kind: "resize-axis"; readonly axis: string; readonly size: number }
  | { readonly kind: "order-axes"; readonly axes: readonly string[] }
  /** Takes the axis out of every strategy and layout as well. */
  | { readonly kind: "remove-axis"; readonly axis: string }
  /** Names the machine; `sizes` are those of all axes, outermost first. */
  | {
      readonly kind: "set-hardware";
      readonly hardware: string;
      readonly sizes?: readonly number[];
    }
  /** All figures that replace the machine's own; empty for the machine's own. */
  | { readonly kind: "set-figures"; readonly figures: MachineFigures };

/** A choice of the steps that a redistribution takes. */
export interface StepsGesture {
  readonly kind: "choose-steps";
  /** Index of the redistribution in the program. */
  readonly redistribution: number;
  /** A plan of our front by its number of steps, a system's own, or the default. */
  readonly steps: number | string;
  /** Redistributions in the same place of other equal blocks, which take the same steps. */
  readonly alike?: readonly number[];
}

/** Pins a tensor and the operator that makes it, or removes that pin. */
export interface PinGesture {
  readonly kind: "pin";
  readonly name: string;
  readonly isPinned: boolean;
  /** Tensors in the same place of other equal blocks, which are pinned with it. */
  readonly alike?: readonly string[];
}

/** A change by hand. */
export type Gesture = DimGesture | MeshGesture | StepsGesture | PinGesture;

/** The effect of a gesture: the new text, or the reason why it is not possible. */
export type GestureOutcome =
  | {
      readonly ok: true;
      readonly label: string;
      readonly source: string;
      /**
       * The rule by which the operator keeps the dim whole, for which its tensor is placed instead.
       */
      readonly note?: string;
      /** The new plan beside a graph in JSON, if that changes. */
      readonly planText?: string;
      readonly selection?: Span;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** A possible gesture in its place, with its label. */
      readonly instead?: { readonly gesture: DimGesture; readonly label: string };
    };
