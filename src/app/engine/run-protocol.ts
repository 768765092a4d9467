import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { InjectedFault, Precision, StepFault } from "#execute/engine";
import type { DeviceDifference, OwnNumbers, RunPart, RunSizes } from "#execute/verify";

/** Cost of running the whole program on this machine, with the sizes of its text. */
export interface WholeCost {
  /** Index points computed by the unsharded run and by all devices together. */
  readonly operations: number;
  readonly bytes: number;
  /** Seconds at the measured pace of this engine; absent if the pace is unknown. */
  readonly seconds?: number;
}

/** Fault injected into a run, to show that the comparison detects it. */
export type RunFault = InjectedFault;

/** Settings of runs that the reader chooses. */
export interface RunSettings {
  /** Preferred engine; `webgpu` falls back to the CPU. */
  readonly engine: "webgpu" | "cpu";
  readonly values: "integers" | "floats";
  /** Whether floats are rounded to the program's element types; the default is yes. */
  readonly precision?: Precision;
  readonly seed: number;
  readonly sizes: RunSizes;
  /** Step number in the optimizer's count; the first step if absent. */
  readonly optimizerStep?: number;
  /** Values for some inputs and parameters; all others are drawn from the seed. */
  readonly own: readonly OwnNumbers[];
  /** File with parameter values; entries in `own` take precedence. */
  readonly weights?: WeightsFile;
}

/** `.safetensors` file that the reader chose; only the needed parts are read. */
export interface WeightsFile {
  readonly name: string;
  readonly file: Blob;
}

/** Use of a weights file in a run. */
export interface WeightsTaken {
  readonly file: string;
  /** Number of parameters with values from the file: `148 of 149 parameters`. */
  readonly words: string;
}

/** Questions to the worker that runs programs. */
export interface RunQuestions {
  run: { takes: RunRequest; gives: RunVerdict; tells: RunProgress };
  /** Ends the current run, whose question then fails. */
  cancel: { takes: object; gives: undefined };
  /** Values of the last run. */
  look: { takes: InspectRequest; gives: InspectResult };
}

/** Questions to the worker that checks function bodies; it has the same code as the run worker. */
export interface BodyQuestions {
  /**
   * Contradictions between a text's registered functions and their annotations, found by running
   * the bodies.
   */
  bodies: { takes: { readonly source: string }; gives: readonly Diagnostic[] };
}

/** Program to run and compare with its unsharded run, optionally with an injected fault. */
export interface RunRequest {
  readonly source: string;
  readonly settings: RunSettings;
  readonly fault?: RunFault;
  /** Forces the CPU, whatever the settings say, with this reason. */
  readonly cpuBecause?: string;
}

/**
 * Stage of a run: reading the text, requesting an adapter, then the parts of the run; `again` is a
 * restart.
 */
export type RunStage = "reading" | "adapter" | RunPart | "kernels" | "again";

/** Progress of a run: its stage, and counts where they are known. */
export interface RunProgress {
  readonly stage: RunStage;
  readonly done?: number;
  readonly of?: number;
}

/** First wrong element of a run, in program order. */
export interface WrongCell {
  readonly tensor: TensorId;
  readonly name: string;
  readonly device: DeviceId;
  /** Index in the whole tensor at the run's sizes, which may be smaller than the text's. */
  readonly index: readonly number[];
  /** NaN if the device has no value there. */
  readonly got: number;
  readonly want: number;
  /**
   * Index of the step that computes the tensor, among all steps; absent for inputs and parameters.
   */
  readonly step?: number;
}

/**
 * Engine that ran the program: a GPU with its vendor's description, or the CPU with the reason why
 * no GPU was used.
 */
export type RunEngine =
  | { readonly name: "webgpu"; readonly adapter: string }
  | { readonly name: "cpu"; readonly why?: string };

/** Phase in which a tensor is computed; `given` for inputs and parameters. */
export type TensorPart = "given" | "forward" | "backward" | "update";

/** Comparison of a tensor with the unsharded run; differences are maxima over all devices. */
export interface RunTensor {
  readonly tensor: TensorId;
  readonly name: string;
  readonly part: TensorPart;
  readonly isEqual: boolean;
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** Number of wrong elements, summed over devices. */
  readonly wrongCount: number;
  /** Devices with at least one wrong element. */
  readonly wrongDevices: readonly DeviceId[];
}

/** Report of a finished run. */
export interface RunReport {
  readonly kind: "equal" | "different";
  /** Verdict in one or two sentences. */
  readonly sentence: string;
  readonly engine: RunEngine;
  readonly settings: RunSettings;
  /** Names of tensors whose values the reader gave. */
  readonly given: readonly string[];
  /** Element types that results were rounded to, in words; absent without rounding. */
  readonly rounding?: string;
  /** Absent if no file gave values. */
  readonly weights?: WeightsTaken;
  readonly deviceCount: number;
  readonly tensors: readonly RunTensor[];
  readonly maxAbsDiff: number;
  readonly maxRelDiff: number;
  /** First wrong element; absent if all are right. */
  readonly cell?: WrongCell;
  /** If the injected fault cannot show: a fault that would, with the same values. */
  readonly instead?: StepFault;
  /** Sentence on how the CPU computed, with the reason; absent on a GPU. */
  readonly computedIn?: string;
  /** Number of dispatches and copies on the GPU; absent on a CPU. */
  readonly counts?: { readonly dispatches: number; readonly copies: number };
  /** Whether the GPU was lost during the run, which was then repeated. */
  readonly wasLost: boolean;
  /** Measured seconds per step, if the engine has a clock. */
  readonly seconds?: readonly number[];
  /** Cost of the whole program, if the run used smaller sizes. */
  readonly whole?: WholeCost;
  /** Whether the run has the same sequence of steps as the text. */
  readonly isSameSteps: boolean;
  readonly notes: readonly Diagnostic[];
}

/** Refusal of a run: the text has errors, or its sizes are too large. */
export interface RunRefusal {
  readonly kind: "refused";
  readonly sentence: string;
  /** Smaller sizes that could be run, in words. */
  readonly fit?: string;
}

/** The outcome of a run. */
export type RunVerdict = RunReport | RunRefusal;

/** Request for values of the last run. */
export type InspectRequest =
  | { readonly kind: "tensor"; readonly tensor: TensorId }
  /** Blocks of some devices before and after a step. */
  | {
      readonly kind: "step";
      readonly step: number;
      readonly devices: readonly DeviceId[];
    };

/** Requested values, or the reason for their absence. */
export type InspectResult =
  | { readonly kind: "tensor"; readonly devices: readonly DeviceDifference[] }
  | {
      readonly kind: "step";
      readonly before: readonly InspectedValue[];
      readonly after: readonly InspectedValue[];
    }
  | { readonly kind: "nothing"; readonly why: string };

/** Blocks of one tensor on some devices. */
export interface InspectedValue {
  readonly tensor: TensorId;
  readonly name: string;
  readonly blocks: readonly InspectedBlock[];
}

/** Block of a device as rows of numbers; a large block as means over tiles. */
export interface InspectedBlock {
  readonly device: DeviceId;
  /** Index range in each dim of the whole tensor, at the run's sizes. */
  readonly box: readonly (readonly [start: number, stop: number])[];
  readonly rows: number;
  readonly columns: number;
  /** Row-major values, `rows` × `columns`; NaN for missing ones. */
  readonly values: Float32Array;
  /** Indices of cells that contain at least one wrong element. */
  readonly wrong: readonly number[];
  /** Elements per cell; 1 × 1 if every element has its own cell. */
  readonly tile: readonly [rows: number, columns: number];
}
