import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { Sabotage } from "#execute/engine";
import type { DeviceDifference, OwnNumbers, RunPart, RunSizes } from "#execute/verify";

/** A fault that is put in on purpose. */
export type RunFault = Sabotage;

/** How a program is run, as the reader has set it. */
export interface RunSettings {
  /** A GPU where there is one, or the CPU in any case. */
  readonly engine: "webgpu" | "cpu";
  readonly values: "integers" | "floats";
  readonly seed: number;
  readonly sizes: RunSizes;
  /** Numbers for some inputs and parameters, which are else drawn from the seed. */
  readonly own: readonly OwnNumbers[];
}

/** A program to run beside its unsharded self, perhaps with a fault put in. */
export interface RunQuestion {
  readonly kind: "run";
  readonly id: number;
  readonly source: string;
  readonly settings: RunSettings;
  readonly fault?: RunFault;
}

/** How far a run is: reading the text and finding an engine come before its parts. */
export type RunStage = "reading" | "adapter" | RunPart | "kernels" | "again";

/** A part of a run, and how much of it is done, where that is known. */
export interface RunProgress {
  readonly stage: RunStage;
  readonly done?: number;
  readonly of?: number;
}

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
  /** The step that made it, by its place among all steps; absent of what is given. */
  readonly step?: number;
}

/** What ran the program: a GPU by its maker's words, or the CPU, and why it was not a GPU. */
export type RunEngine =
  | { readonly name: "webgpu"; readonly adapter: string }
  | { readonly name: "cpu"; readonly why?: string };

/** The part of a training step in which a tensor is made. */
export type TensorPart = "given" | "forward" | "backward" | "update";

/** A tensor against the unsharded run: the worst of all devices. */
export interface RunTensor {
  readonly tensor: TensorId;
  readonly name: string;
  readonly part: TensorPart;
  readonly isEqual: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** Cells that are wrong, on all devices. */
  readonly wrongCount: number;
}

/** What a run that came to its end says. */
export interface RunReport {
  readonly kind: "equal" | "different";
  /** All of it in a sentence or two. */
  readonly sentence: string;
  readonly engine: RunEngine;
  readonly settings: RunSettings;
  /** Tensors that had the reader's own numbers, by name. */
  readonly given: readonly string[];
  readonly deviceCount: number;
  readonly tensors: readonly RunTensor[];
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** The first wrong cell; absent where all are right. */
  readonly cell?: WrongCell;
  /** What a CPU computed with, and why, in a sentence. */
  readonly computedIn?: string;
  /** What was sent to the GPU. */
  readonly counts?: { readonly dispatches: number; readonly copies: number };
  /** The GPU was lost on the way, and the run began again. */
  readonly wasLost: boolean;
  /** Measured seconds per step of the program, where there is a clock for that. */
  readonly seconds?: readonly number[];
  /** Whether the run's steps are those of the text, one by one. */
  readonly isSameSteps: boolean;
  readonly notes: readonly Diagnostic[];
}

/** There is nothing to run: the text has errors, or its sizes are too large. */
export interface RunRefusal {
  readonly kind: "refused";
  readonly sentence: string;
  /** Smaller sizes on which it could run, in words. */
  readonly fit?: string;
}

/** What a run says of a program. */
export type RunVerdict = RunReport | RunRefusal;

/** What is asked of the last run: how each device is off from a tensor. */
export interface LookQuestion {
  readonly kind: "look";
  readonly id: number;
  readonly look: Look;
}

/** A part of the last run to look at. */
export type Look =
  | { readonly kind: "tensor"; readonly tensor: TensorId }
  /** What devices hold before and after a step; only of so many devices. */
  | {
      readonly kind: "step";
      readonly step: number;
      readonly devices: readonly DeviceId[];
    };

/** What is seen there; nothing where the run does not have it. */
export type Seen =
  | { readonly kind: "tensor"; readonly devices: readonly DeviceDifference[] }
  | {
      readonly kind: "step";
      readonly before: readonly SeenValue[];
      readonly after: readonly SeenValue[];
    }
  | { readonly kind: "nothing"; readonly why: string };

/** What some devices hold of one tensor. */
export interface SeenValue {
  readonly tensor: TensorId;
  readonly name: string;
  readonly blocks: readonly SeenBlock[];
}

/** One block of a device as rows of numbers; of a large one, the means of tiles. */
export interface SeenBlock {
  readonly device: DeviceId;
  /** Where it lies in the whole tensor of the run, per dim, from and up to. */
  readonly box: readonly (readonly [start: number, stop: number])[];
  readonly rows: number;
  readonly columns: number;
  /** Row-major, `rows` × `columns`; NaN where there is no number. */
  readonly values: Float32Array;
  /** Cells of which at least one element is wrong. */
  readonly wrong: readonly number[];
  /** Elements that one cell stands for: 1 where all are shown. */
  readonly tile: readonly [rows: number, columns: number];
}

/** A run is no longer wanted. */
export interface CancelQuestion {
  readonly kind: "cancel";
  /** That of the run. */
  readonly id: number;
}

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

/** What is asked of the worker of runs. */
export type RunnerQuestion = RunQuestion | LookQuestion | CancelQuestion;

/** What the worker of runs says: how far it is, then one last answer, be it that the run has ended. */
export type RunAnswer =
  | { readonly kind: "cancelled"; readonly id: number }
  | { readonly kind: "progress"; readonly id: number; readonly progress: RunProgress }
  | { readonly kind: "ran"; readonly id: number; readonly verdict: RunVerdict }
  | { readonly kind: "seen"; readonly id: number; readonly seen: Seen }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };
