import type { Blocks } from "#core/collective";
import type { Operator, TensorId, TracedBody } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { IndexRange, SpmdProgram, ValueId } from "#core/program";
import type { Arithmetic, Leaf, Whole } from "#execute/reference";
import type { Sabotage } from "./sabotage.ts";

/** The registered functions that run by their own bodies. */
export interface LocalBodies {
  readonly whole: (operator: Operator) => TracedBody | undefined;
  /** On a device's part; absent where it fails there. */
  readonly part: (operator: Operator, range: IndexRange) => TracedBody | undefined;
}

/** How a run goes about its numbers, and which fault it puts in. */
export interface RunSettings {
  /** On integers and words, functions that leave them are replaced by their stand-ins. */
  readonly values: Arithmetic;
  readonly sabotage?: Sabotage;
  /** The bodies of registered functions; one without runs as a product. */
  readonly bodies?: LocalBodies;
}

/** What every device holds of every value of the program. */
export type HeldValues = ReadonlyMap<ValueId, Blocks>;

/** What is given to a program: inputs, parameters, and what enters on the way. */
export type Leaves = ReadonlyMap<TensorId, Leaf>;

/** What an engine is asked to run. */
export interface EngineTask {
  readonly program: SpmdProgram;
  readonly leaves: Leaves;
  readonly settings: RunSettings;
  /** The tensors of the unsharded run: an engine may compare its values with them itself. */
  readonly wanted?: ReadonlyMap<TensorId, Whole>;
}

/** What an engine has done in a run. */
export interface EngineRun {
  /** All values, but for those that are the same as the tensors wanted. */
  readonly held: HeldValues;
  /**
   * Values of which the engine has found that every cell on every device is what is wanted, bit for
   * bit: they stay where they are.
   */
  readonly same?: ReadonlySet<ValueId>;
  /** What some devices hold of a value that stayed with the engine, until it is released. */
  readonly read?: (value: ValueId, devices: readonly DeviceId[]) => Promise<Blocks>;
  /** Lets go of what stayed with the engine. */
  readonly release?: () => void;
  /** What was sent to a GPU, where one ran it. */
  readonly counts?: {
    readonly dispatches: number;
    readonly copies: number;
    readonly submits: number;
    readonly pipelines: number;
  };
  /** What a CPU computed with: whether it has vectors in Wasm, and how many steps took them. */
  readonly cpu?: { readonly hasVectors: boolean; readonly vectorSteps: number };
  /** Measured seconds per step of the program, written out, where the engine has a clock for that. */
  readonly seconds?: readonly number[];
  /** The device was lost on the way, and the run began again on another. */
  readonly wasLost?: true;
}

/** Whether a run is still wanted: an `AbortSignal`, where there is one. */
export interface Cancel {
  throwIfAborted(): void;
}

/** What runs per-device programs. All engines give the same values for the same task. */
export interface Engine {
  readonly name: "cpu" | "webgpu";
  /** Whether its floats are singles; its integers are then exact up to 2^24, and else words. */
  readonly isSingle: boolean;
  /** Bytes that all values of a run may take together; no limit when absent. */
  readonly mostBytes?: number;
  run(task: EngineTask, signal?: Cancel): Promise<EngineRun>;
}
