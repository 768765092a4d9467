import type { Blocks } from "#core/collective";
import type { Operator, TensorId } from "#core/ir";
import type { TracedBody } from "#core/ir/body";
import type { DeviceId } from "#core/mesh";
import type { IndexRange, SpmdProgram, ValueId } from "#core/program";
import type { Arithmetic, Leaf, WholeTensor } from "#execute/reference";
import type { InjectedFault } from "./injected-fault.ts";
import type { Precision } from "./own-types.ts";

/** The registered functions that run by their own bodies. */
export interface LocalBodies {
  readonly whole: (operator: Operator) => TracedBody | undefined;
  /** The body on a device's part; `undefined` if it fails there. */
  readonly part: (operator: Operator, range: IndexRange) => TracedBody | undefined;
}

/** The arithmetic of a run, and the fault to put in. */
export interface RunSettings {
  /**
   * Arithmetic of the run. On integers and words, functions with fractional results are replaced by
   * integer functions.
   */
  readonly values: Arithmetic;
  readonly sabotage?: InjectedFault;
  /** The rounding of floats; `full` if absent. */
  readonly precision?: Precision;
  /**
   * The bodies of registered functions; a function without one runs as the product of its operands.
   */
  readonly bodies?: LocalBodies;
}

/** The blocks that devices hold of each value of the program. */
export type HeldValues = ReadonlyMap<ValueId, Blocks>;

/** The leaves of a program: its inputs, its parameters, and data that enters on the way. */
export type Leaves = ReadonlyMap<TensorId, Leaf>;

/** A program for an engine to run. */
export interface EngineTask {
  readonly program: SpmdProgram;
  readonly leaves: Leaves;
  readonly settings: RunSettings;
  /** The tensors of the unsharded run, for engines that compare their values themselves. */
  readonly wanted?: ReadonlyMap<TensorId, WholeTensor>;
}

/** The result of a run on an engine. */
export interface EngineRun {
  /** Blocks of all values except those in `same`. */
  readonly held: HeldValues;
  /**
   * Values that the engine has compared itself: every cell on every device equals the wanted
   * tensor, bit for bit. Their blocks stay with the engine.
   */
  readonly same?: ReadonlySet<ValueId>;
  /** Reads blocks that stayed with the engine, until `release`. */
  readonly read?: (value: ValueId, devices: readonly DeviceId[]) => Promise<Blocks>;
  /** Frees the blocks that stayed with the engine. */
  readonly release?: () => void;
  /** Commands that the GPU executed; absent on a CPU. */
  readonly counts?: {
    readonly dispatches: number;
    readonly copies: number;
    readonly submits: number;
    readonly pipelines: number;
  };
  /** Whether the CPU has vectors in WebAssembly, and how many steps used them; absent on a GPU. */
  readonly cpu?: { readonly hasVectors: boolean; readonly vectorSteps: number };
  /** Measured seconds per step of the program, written out, if the engine has a clock. */
  readonly seconds?: readonly number[];
  /** Whether the GPU was lost during the run, which began again on another. */
  readonly wasLost?: true;
}

/** Cancellation of a run; an `AbortSignal` implements it. */
export interface Cancel {
  throwIfAborted(): void;
}

/** An engine that runs per-device programs. All engines give the same values for the same task. */
export interface Engine {
  readonly name: "cpu" | "webgpu";
  /** Whether its floats have single precision, so that integers beyond 2^24 must be words. */
  readonly isSingle: boolean;
  /** Limit on the bytes of all values of a run; none if absent. */
  readonly mostBytes?: number;
  run(task: EngineTask, signal?: Cancel): Promise<EngineRun>;
}
