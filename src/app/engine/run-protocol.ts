import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { Precision, Sabotage, StepFault } from "#execute/engine";
import type { DeviceDifference, OwnNumbers, RunPart, RunSizes } from "#execute/verify";

/** The cost of running the whole program on this machine, at the sizes of its text. */
export interface WholeCost {
  /** Index points, unsharded and on all devices. */
  readonly operations: number;
  readonly bytes: number;
  /** Seconds by the measured pace of this engine; absent if it could not be measured. */
  readonly seconds?: number;
}

/** A fault that is put into a run on purpose, to see that the comparison finds it. */
export type RunFault = Sabotage;

/** The reader's settings of runs. */
export interface RunSettings {
  /** `webgpu`: on a GPU where there is one, else on the CPU. */
  readonly engine: "webgpu" | "cpu";
  readonly values: "integers" | "floats";
  /** Whether floats are rounded to the element types of the program; they are when absent. */
  readonly precision?: Precision;
  readonly seed: number;
  readonly sizes: RunSizes;
  /** The number of a training step in its optimizer's count; the first when absent. */
  readonly optimizerStep?: number;
  /** Numbers for some inputs and parameters; all others are drawn from the seed. */
  readonly own: readonly OwnNumbers[];
  /** A file with numbers for parameters; those of `own` take precedence. */
  readonly weights?: WeightsFile;
}

/** A `.safetensors` file of the reader, read piece by piece where it is needed. */
export interface WeightsFile {
  readonly name: string;
  readonly file: Blob;
}

/** The numbers that a run took from a file with weights. */
export interface WeightsTaken {
  readonly file: string;
  /** How many parameters have numbers of the file: `148 of 149 parameters`. */
  readonly words: string;
}

/** The questions to the worker that runs programs. */
export interface RunQuestions {
  run: { takes: RunRequest; gives: RunVerdict; tells: RunProgress };
  /** Ends the run under way, if there is one; that run is then answered with a failure. */
  cancel: { takes: object; gives: undefined };
  /** A look at the last run. */
  look: { takes: Look; gives: Seen };
}

/** The questions to the worker that checks functions: the same code, in a worker of its own. */
export interface BodyQuestions {
  /**
   * The contradictions between a text's registered functions and their annotations, found by
   * running the bodies.
   */
  bodies: { takes: { readonly source: string }; gives: readonly Diagnostic[] };
}

/** A program to run and compare with its unsharded run, perhaps with a fault put in. */
export interface RunRequest {
  readonly source: string;
  readonly settings: RunSettings;
  readonly fault?: RunFault;
  /** The reason for the CPU, whatever the settings say. */
  readonly cpuBecause?: string;
}

/** How far a run is: reading the text and finding an engine come before its parts. */
export type RunStage = "reading" | "adapter" | RunPart | "kernels" | "again";

/** The stage of a run, and how much of it is done where that is known. */
export interface RunProgress {
  readonly stage: RunStage;
  readonly done?: number;
  readonly of?: number;
}

/** The first wrong element of a run, in program order. */
export interface WrongCell {
  readonly tensor: TensorId;
  readonly name: string;
  readonly device: DeviceId;
  /**
   * Its index in the whole tensor, in the sizes of the run, which may be smaller than those of the
   * text.
   */
  readonly index: readonly number[];
  /** NaN where nothing arrived. */
  readonly got: number;
  readonly want: number;
  /** The step that made it, by its position among all steps; absent of inputs and parameters. */
  readonly step?: number;
}

/**
 * The engine of the program: a GPU by its maker's words, or the CPU with the reason why it was not
 * a GPU.
 */
export type RunEngine =
  | { readonly name: "webgpu"; readonly adapter: string }
  | { readonly name: "cpu"; readonly why?: string };

/** The phase in which a tensor is made; `given` for inputs and parameters. */
export type TensorPart = "given" | "forward" | "backward" | "update";

/** A tensor compared with the unsharded run; differences are the largest of all devices. */
export interface RunTensor {
  readonly tensor: TensorId;
  readonly name: string;
  readonly part: TensorPart;
  readonly isEqual: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** Cells that are wrong, on all devices. */
  readonly wrongCount: number;
  /** Devices that have a wrong cell of it. */
  readonly wrongDevices: readonly DeviceId[];
}

/** The result of a run that has finished. */
export interface RunReport {
  readonly kind: "equal" | "different";
  /** The result in a sentence or two. */
  readonly sentence: string;
  readonly engine: RunEngine;
  readonly settings: RunSettings;
  /** Tensors that had the reader's own numbers, by name. */
  readonly given: readonly string[];
  /** The element types to which results were rounded, in words; absent without rounding. */
  readonly rounding?: string;
  /** Absent where the run took numbers of no file. */
  readonly weights?: WeightsTaken;
  readonly deviceCount: number;
  readonly tensors: readonly RunTensor[];
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** The first wrong cell; absent where all are right. */
  readonly cell?: WrongCell;
  /** If a fault did not show, a fault that does on the same numbers. */
  readonly instead?: StepFault;
  /** The way in which the CPU computed, with the reason, in a sentence; absent on a GPU. */
  readonly computedIn?: string;
  /** Dispatches and copies that the GPU executed; absent on a CPU. */
  readonly counts?: { readonly dispatches: number; readonly copies: number };
  /** Whether the GPU was lost on the way and the run began again. */
  readonly wasLost: boolean;
  /** Measured seconds per step of the program, where there is a clock for that. */
  readonly seconds?: readonly number[];
  /** The cost of the whole program, where smaller sizes were run. */
  readonly whole?: WholeCost;
  /** Whether the run's steps are those of the text, one by one. */
  readonly isSameSteps: boolean;
  readonly notes: readonly Diagnostic[];
}

/** The reason why a run is impossible: the text has errors, or its sizes are too large. */
export interface RunRefusal {
  readonly kind: "refused";
  readonly sentence: string;
  /** Smaller sizes on which it could run, in words. */
  readonly fit?: string;
}

/** The outcome of a run. */
export type RunVerdict = RunReport | RunRefusal;

/** A request for numbers of the last run. */
export type Look =
  | { readonly kind: "tensor"; readonly tensor: TensorId }
  /** The blocks of some devices before and after a step. */
  | {
      readonly kind: "step";
      readonly step: number;
      readonly devices: readonly DeviceId[];
    };

/** The requested numbers, or the reason why there are none. */
export type Seen =
  | { readonly kind: "tensor"; readonly devices: readonly DeviceDifference[] }
  | {
      readonly kind: "step";
      readonly before: readonly SeenValue[];
      readonly after: readonly SeenValue[];
    }
  | { readonly kind: "nothing"; readonly why: string };

/** The blocks that some devices hold of one tensor. */
export interface SeenValue {
  readonly tensor: TensorId;
  readonly name: string;
  readonly blocks: readonly SeenBlock[];
}

/** One block of a device as rows of numbers; a large block as the means of its tiles. */
export interface SeenBlock {
  readonly device: DeviceId;
  /** Its range in each dim of the whole tensor of the run. */
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
