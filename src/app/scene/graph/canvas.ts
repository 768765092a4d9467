import type { Collective } from "#core/collective";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ValueId } from "#core/program";
import type { StepRuns } from "../folded.ts";
import type { AxisTag } from "../hue.ts";
import type { Point, Rect, Size } from "../mark.ts";

/** What one collective of a badge is called and over which axes it runs. */
export interface BadgeStep {
  readonly collective: Collective;
  readonly axes: readonly AxisTag[];
}

/** What stands on the badge of a redistribution. */
export interface RedistributionBadge {
  /** What is sent, where no line leads to the badge: `w2`, `w2 again`. */
  readonly of?: string;
  readonly steps: readonly BadgeStep[];
  /** `8.39 MB · 31.0 µs`, or `0 B` when nothing moves. */
  readonly numbers: string;
}

/** The words beside a tensor's glyph, and the room of the glyph itself. */
export interface TensorCaption {
  /** Without the name of the block around it. */
  readonly name: string;
  /** `8.39 MB each`, `16.8 MB each, unsummed`. */
  readonly bytes: string;
  readonly glyph: Size;
  /** The layout to draw. */
  readonly layout?: Layout;
}

/**
 * Stands among the keys of open runs where training is hidden and the forward part alone is drawn;
 * no key of a run has a space in it.
 */
export const forwardOnly = "forward only";

/** The members of one of several equal blocks, in program order. */
export interface RunMembers {
  /** Opens the run; the same from edit to edit while its first operator keeps its name. */
  readonly key: string;
  readonly label: string;
  readonly operators: readonly OperatorId[];
  /** What its operators make, and the parameters that only it reads. */
  readonly tensors: readonly TensorId[];
  readonly redistributions: readonly number[];
}

/** Equal blocks that are drawn once. A run is one of those blocks. */
export interface BlockStack {
  /** `layers[0…23]`. */
  readonly label: string;
  readonly count: number;
  /** How many equal blocks a gesture on a tensor in one of them changes. */
  readonly together?: number;
  /** What one run holds: `4 operators, 1 redistribution each`. */
  readonly each: string;
  /** What all runs together hold and send: `parameters 77.6 kB · comm 25.2 kB`, of one device. */
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
  /** From 1. */
  readonly place: number;
  readonly count: number;
  readonly operators: readonly OperatorId[];
  /** What its operators make, and the parameters that only it reads. */
  readonly tensors: readonly TensorId[];
  /** How many equal blocks a gesture in this run changes, unless it changes that one alone. */
  readonly together?: number;
  /** Of a block that is not equal to the rest and stays open: the operators that differ. */
  readonly differsBy?: readonly string[];
}

/** The frame around an open block. */
export interface CanvasFrame extends Rect {
  readonly key: string;
  /** Whether what is inside can be folded. */
  readonly isFoldable: boolean;
}

/**
 * A box on the canvas. `operator` is a card; `stack` equal blocks drawn as one card; `run` the head
 * of such a block that is open; `input` the round-ended card of the first input;
 * `tensor` a glyph with name, label and bytes, at the `left` of its consumer, at the `right` of its
 * producer, or `alone` where no operator reads or makes it, or as the small `state` of an optimizer
 * below its update; `redistribution` a badge; `output` the end behind a final redistribution.
 */
export type CanvasNode = Rect & { readonly id: string } & (
    | {
        readonly kind: "operator";
        readonly operator: OperatorId;
        /** Without the name of the block around it. */
        readonly name: string;
        /**
         * Modelled seconds of its redistributions, as a share of the operator with the most: 0 to
         * 1.
         */
        readonly heat: number;
        /** Results that have no glyph of their own: an update works in place. */
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
        /** Below a parameter, where there is no room for numbers. */
        readonly isShort: boolean;
      }
    | { readonly kind: "output"; readonly tensor: TensorId; readonly value: ValueId }
  );

/**
 * A line of right angles between two boxes; with an arrow where a value flows, without one as a
 * tie.
 */
export interface CanvasEdge {
  readonly id: string;
  /** Ids of the nodes that it joins. */
  readonly from: string;
  readonly to: string;
  readonly tensor: TensorId;
  readonly points: readonly Point[];
  /** SVG path of the polyline with rounded corners. */
  readonly path: string;
  readonly hasArrow: boolean;
  /** The range of the tensor that is read or made, `zr[0:10, 0:5]`; only of a graph in JSON. */
  readonly range?: string;
  /** Where the range begins if a badge on the line would hide it. */
  readonly rangeAt?: Point;
  /** Whether the range is only worth saying close up, or where its operator or tensor is selected. */
  readonly isQuiet?: true;
}

/** The head of a column of a training step, such as its forward or backward part. */
export interface LaneHead extends Rect {
  readonly text: string;
  /** Whether a line divides it from the column before. */
  readonly isParted: boolean;
}

/** The positions of all boxes and lines; boxes lie inside `width` by `height` and never overlap. */
export interface CanvasLayout extends Size {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  /** Around open runs; the boxes inside them lie on top. */
  readonly frames: readonly CanvasFrame[];
  /** The heads of a training step's columns; empty for a program without training. */
  readonly heads: readonly LaneHead[];
  /** Runs of equal steps, which are drawn and played once. */
  readonly stepRuns: readonly StepRuns[];
}

/** One row of the list that small screens show in place of the canvas. */
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
