import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { RunPart } from "#execute/verify";

/** A program to run beside its unsharded self, perhaps with one collective left out. */
export interface RunQuestion {
  readonly id: number;
  readonly source: string;
  /** The collective to leave out, counted over all steps of the program from 0. */
  readonly without?: number;
}

/** How far a run is: reading the text comes before its parts. */
export type RunStage = "reading" | RunPart;

/** The first element, in program order, that a device has and should not. */
export interface WrongCell {
  readonly tensor: TensorId;
  readonly name: string;
  readonly device: DeviceId;
  /** In the sizes of the run, which may be smaller than those of the text. */
  readonly index: readonly number[];
  /** NaN where nothing arrived. */
  readonly got: number;
  readonly want: number;
}

/** What a run says of a program. */
export type RunVerdict =
  | {
      readonly kind: "equal";
      readonly tensorCount: number;
      readonly deviceCount: number;
      readonly notes: readonly Diagnostic[];
    }
  | {
      readonly kind: "different";
      readonly cell: WrongCell;
      readonly notes: readonly Diagnostic[];
    }
  /** There is nothing to run: the text has errors, or its sizes are too large. */
  | { readonly kind: "refused"; readonly message: string };

/** A text whose registered functions are held against their annotations. */
export interface BodyQuestion {
  readonly kind: "bodies";
  readonly id: number;
  readonly source: string;
}

/** What the worker of runs says of them. */
export type BodyAnswer =
  | { readonly kind: "checked"; readonly id: number; readonly findings: readonly Diagnostic[] }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** What the worker of runs says: how far it is, then one last answer. */
export type RunAnswer =
  | { readonly kind: "stage"; readonly id: number; readonly stage: RunStage }
  | { readonly kind: "ran"; readonly id: number; readonly verdict: RunVerdict }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
