import type { Collective } from "#core/collective";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ValueId } from "#core/program";
import type { StepRuns } from "../folded.ts";
import type { AxisTag } from "../hue.ts";
import type { Point, Rect, Size } from "../mark.ts";

/** The name of one collective of a badge and the mesh axes over which it runs. */
export interface BadgeStep {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
}

/** Content of the badge of a redistribution. */
export interface RedistributionBadge {
  /** Name of the sent tensor, if no line leads to the badge: `w2`, `w2 again`. */
  readonly of?: string;
  readonly steps: readonly BadgeStep[];
  /** Bytes and time, `8.39 MB · 31.0 µs`, or `0 B` when nothing moves. */
  readonly numbers: string;
}

/** The words beside a tensor's glyph, and the size of the glyph. */
export interface TensorCaption {
  /** Tensor name without the prefix of the block around it. */
  readonly name: string;
  /** Bytes per device: `8.39 MB each`, `16.8 MB each, unsummed`. */
  readonly bytes: string;
  readonly glyph: Size;
  /** The layout to draw. */
  readonly layout?: Layout;
}

/**
 * Pseudo key among the keys of open runs: training is hidden and only the forward part is drawn. It
 * has a space, which no key of a run has.
 */
export const forwardOnly = "forward only";

/** The members of one of several equal blocks, in program order. */
export interface RunMembers {
  /** Key to open the run; stable across edits while the id of its first operator is unchanged. */
  readonly key: string;
  readonly label: string;
  readonly operators: readonly OperatorId[];
  /** Results of the run's operators, and the parameters that only this run reads. */
  readonly tensors: readonly TensorId[];
  readonly redistributions: readonly number[];
}

/** Equal blocks that are drawn once. A run is one of these blocks. */
export interface BlockStack {
  /** Label of the range of runs: `layers[0…23]`. */
  readonly label: string;
  readonly count: number;
  /** Number of equal blocks that a gesture on a tensor in one of them changes. */
  readonly together?: number;
  /** Summary of one run: `4 operators, 1 redistribution each`. */
  readonly each: string;
  /** Summary of all runs, per device: `parameters 77.6 kB · comm 25.2 kB`. */
  readonly all: string;
  /** Bytes that the busiest device receives in the redistributions that are not drawn. */
  readonly bytes: number;
  readonly seconds: number;
  readonly runs: readonly RunMembers[];
}

/** The head above an open block. */
export interface RunHead {
  readonly key: string;
  readonly label: string;
  /** Position of the run in its block, from 1. */
  readonly place: number;
  readonly count: number;
  readonly operators: readonly OperatorId[];
  /** Results of the run's operators, and the parameters that only this run reads. */
  readonly tensors: readonly TensorId[];
  /**
   * Number of equal blocks that a gesture in this run changes; absent if it changes this one alone.
   */
  readonly together?: number;
  /**
   * Names of the differing operators, for a block that is not equal to the others and stays open.
   */
  readonly differsBy?: readonly string[];
}

/** The frame around an open block. */
export interface CanvasFrame extends Rect {
  readonly key: string;
  /** Whether the block inside can be folded. */
  readonly isFoldable: boolean;
}

/**
 * A box on the canvas. `operator`: a card. `stack`: equal blocks drawn as one card. `run`: the head
 * of an open block. `input`: the round-ended card of the first input. `tensor`: a glyph with name,
 * label and bytes, at the `left` of its consumer, at the `right` of its producer, `alone` if no
 * operator reads or produces it, or a small optimizer `state` below its update. `redistribution`: a
 * badge. `output`: the end behind a final redistribution.
 */
export type CanvasNode = Rect & { readonly id: string } & (
    | {
        readonly kind: "operator";
        readonly operator: OperatorId;
        /** Operator name without the prefix of the block around it. */
        readonly name: string;
        /**
         * Modelled seconds of its redistributions, as a share of the operator with the most: 0 to
         * 1.
         */
        readonly heat: number;
        /** Results without a glyph of their own: an update works in place. */
        readonly makes?: readonly TensorId[];
      }
    | { readonly kind: "stack"; readonly stack: BlockStack; readonly heat: number }
    | { readonly kind: "run"; readonly run: RunHead }
    | { readonly kind: "input"; readonly tensor: TensorId }
    | {
        readonly kind: "tensor";
        readonly tensor: TensorId;
        readonly side: "left" | "right" | "alone" | "state";
        readonly caption: TensorCaption;
      }
    | {
        readonly kind: "redistribution";
        readonly redistribution: number;
        readonly badge: RedistributionBadge;
        /** Drawn without numbers: below a parameter, or where the column is too narrow. */
        readonly isShort: boolean;
      }
    | { readonly kind: "output"; readonly tensor: TensorId; readonly value: ValueId }
  );

/**
 * An orthogonal line between two boxes; with an arrow for a value that flows, without one for a
 * tie.
 */
export interface CanvasEdge {
  readonly id: string;
  /** Ids of the nodes that the line joins. */
  readonly from: string;
  readonly to: string;
  readonly tensor: TensorId;
  readonly points: readonly Point[];
  /** SVG path of the polyline with rounded corners. */
  readonly path: string;
  readonly hasArrow: boolean;
  /** The range of the tensor that is read or written, `zr[0:10, 0:5]`; only for a graph in JSON. */
  readonly range?: string;
  /** Start of the range text if a badge on the line would cover its usual place. */
  readonly rangeAt?: Point;
  /** Whether the range is shown only at close zoom or while its operator or tensor is selected. */
  readonly isQuiet?: true;
}

/** The head of a column of a training step, such as its forward or backward part. */
export interface LaneHead extends Rect {
  readonly text: string;
  /** Whether a line separates this column from the one before. */
  readonly isParted: boolean;
}

/** The positions of all boxes and lines; boxes lie inside `width` by `height` and never overlap. */
export interface CanvasLayout extends Size {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  /** Frames around open runs; the boxes inside are drawn on top. */
  readonly frames: readonly CanvasFrame[];
  /** The heads of a training step's columns; empty for a program without training. */
  readonly heads: readonly LaneHead[];
  /** Runs of equal program steps, drawn and played once. */
  readonly stepRuns: readonly StepRuns[];
}

/** One row of the list that small screens show instead of the canvas. */
export type ListRow =
  | { readonly kind: "heading"; readonly id: string; readonly text: string }
  | { readonly kind: "stack"; readonly id: string; readonly stack: BlockStack }
  | { readonly kind: "run"; readonly id: string; readonly run: RunHead }
  | { readonly kind: "tensor"; readonly id: string; readonly tensor: TensorId }
  | { readonly kind: "operator"; readonly id: string; readonly operator: OperatorId }
  | {
      readonly kind: "redistribution";
      readonly id: string;
      readonly redistribution: number;
      readonly badge: RedistributionBadge;
    };
