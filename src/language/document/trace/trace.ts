import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Optimizer, OptimizerNumbers, Training } from "#core/training";
import type { Argument, InstanceValue } from "#language/python";
import type { GivenNumbers } from "../asked-numbers.ts";
import { RepeatedRounds } from "./repeated-rounds.ts";
import type { Checkpoint, TracedOperator, TracedTensor } from "./traced.ts";
import type {
  LayoutSpec,
  WrittenArrangement,
  WrittenAxes,
  WrittenLayout,
  WrittenMesh,
} from "./written-layouts.ts";

/** `strategy(target, key=axes, …)` as written. */
export interface StrategyCall {
  readonly target: TracedTensor | string;
  readonly cuts: readonly {
    readonly key: string;
    readonly keySpan: Span;
    readonly written: WrittenAxes;
    /** From the key to the end of the value, without the comma; used for removal. */
    readonly span: Span;
  }[];
  readonly carry: WrittenAxes | undefined;
  readonly span: Span;
}

/** `place(target, layout(…))` as written, or an input of a functional `shard`. */
export interface PlaceCall {
  readonly target: TracedTensor | string;
  readonly layout: WrittenLayout;
  /** Arrangement of the layout, when it names one. */
  readonly spec?: LayoutSpec;
  readonly span: Span;
}

/** `reshard(target, steps=…, to=layout(…))` as written. */
export interface ReshardCall {
  readonly target: TracedTensor | string;
  /** Number of steps, or the name of a system. */
  readonly steps: number | string;
  readonly stepsSpan: Span;
  readonly to?: WrittenLayout;
  readonly span: Span;
}

/** An input of a functional `shard` with the number of pieces of each dim. */
export interface PlacedPieces {
  readonly target: TracedTensor;
  readonly pieces: readonly number[];
  readonly span: Span;
}

/** `train(loss, …)` as written. */
export interface TrainCall {
  readonly loss: TracedTensor | string;
  readonly optimizer: Optimizer;
  readonly numbers: OptimizerNumbers;
  readonly microbatches: number;
  readonly zero: 0 | 1 | 2 | 3;
  /**
   * What is recomputed: operators by their results, names of operators and modules; every block
   * ("full"); or as few blocks as keep the peak memory within some bytes.
   */
  readonly recompute: readonly (TracedTensor | string)[] | "full" | { readonly bytes: number };
  readonly policy: TrainPolicy;
  /** Whether a system's own words imply it, without a `train(…)` in the text. */
  readonly isOfSystem?: true;
  readonly span: Span;
}

/** Data types of a step and options of its kernels; only those that are given. */
export type TrainPolicy = Pick<
  Training,
  "precision" | "gradients" | "reduces" | "compiled" | "overlap"
>;

/** One level of a nested partition: the pieces of an identifier, or copies of the operator. */
export interface Level {
  /** Absent for copies. */
  readonly identifier?: string;
  readonly count: number;
  /** Whether the copies are replicas of the whole plan, on further devices with their own data. */
  readonly isRepeated?: true;
}

/** One piece of a partitioned operator: its index on each level, and the devices that run it. */
export interface AssignedPiece {
  readonly path: readonly number[];
  readonly devices: readonly number[];
}

/** The partition that a policy chooses for an operator. */
export interface PolicyPartition {
  readonly operator: TracedOperator;
  readonly levels: readonly Level[];
  readonly pieces: readonly AssignedPiece[];
  readonly span: Span;
}

/** Policy that a text runs, and the graph nodes it gets. */
export interface WrittenPolicy {
  /** Body of its function in the text; absent for a system's policy and for a `partial`. */
  readonly body?: Span;
  /** Name of the parameter for the graph. */
  readonly graph: string;
  /** Argument of a call that names the policy. */
  readonly argument?: Span;
  readonly nodes: readonly PolicyNodeName[];
}

/** Module whose method, or whose call as a layer, makes an operator. */
export interface CalledModule {
  /** Root module, which no other one holds. */
  readonly root: InstanceValue;
  /** Path from the root, e.g. `layers.0.attn`; empty for the root itself. */
  readonly path: string;
  /** Module that the program itself calls, at or above this one. */
  readonly called: InstanceValue;
  /** Module whose call makes the operator. */
  readonly module: InstanceValue;
}

/** A run of a module, with its arguments. */
export interface ModuleRun {
  /** Root module, which no other one holds. */
  readonly root: InstanceValue;
  readonly module: InstanceValue;
  /** Path from the root, as in `CalledModule`. */
  readonly path: string;
  readonly args: readonly Argument[];
}

/** Identity of a node for a policy: the name of its function and the path of the calling layer. */
export interface PolicyNodeName {
  readonly operator: TracedOperator;
  readonly name: string;
  readonly layer: string;
}

/** `pin(target)` as written; `meshWord` is the target for the mesh. */
export interface PinCall {
  readonly target: TracedTensor | string;
  readonly span: Span;
}

/** Target of a pin that means the mesh. */
export const meshWord = "mesh";

/** Parallel mode of a program, as a system's context sets it. */
export interface ParallelSetting {
  readonly mode: string;
  readonly span: Span;
  /** Number of devices. */
  readonly devices?: number;
  /** Rank for which the program is compiled. */
  readonly rank?: number;
  /** Number of pipeline stages; absent for one. */
  readonly stages?: number;
  /** Whether redistributions may use AllToAll. */
  readonly allToAll?: boolean;
  /** How inputs are fed when not as the whole batch. */
  readonly fed?: "share" | "layout";
  /** Further settings of the context that are not supported. */
  readonly unread?: readonly ("optimizer" | "stages")[];
}

/** An entry call or policy that a line of the text could select. */
export interface TextChoice {
  readonly group: "calls" | "policies";
  readonly name: string;
  /** Line that selects it. */
  readonly line: string;
  readonly isChosen: boolean;
  /**
   * Edits that write the line at the end of the text, or in place of the line that selects another.
   */
  readonly edits: Fix["edits"];
}

/** Everything recorded in one run of a program. */
export interface Trace {
  readonly tensors: TracedTensor[];
  readonly operators: TracedOperator[];
  readonly strategies: StrategyCall[];
  readonly places: PlaceCall[];
  readonly reshards: ReshardCall[];
  readonly placedPieces: PlacedPieces[];
  /** Modes of `AutoParallel(…)` and of a system's context, in program order. */
  readonly parallel: ParallelSetting[];
  readonly training: TrainCall[];
  readonly pins: PinCall[];
  readonly partitions: PolicyPartition[];
  /** Operators that a policy does not assign, and the span of that policy. */
  readonly unassigned: TracedOperator[];
  policySpan?: Span;
  policy?: WrittenPolicy;
  /** Further entry calls and policies of the text. */
  readonly choices: TextChoice[];
  /** Whether a system has reported that nothing is drawn, and why. */
  saysNothingDrawn?: boolean;
  /** Module that makes an operator; `undefined` outside all modules. */
  moduleOf?: (operator: TracedOperator) => CalledModule | undefined;
  /** Every run of a module, in program order. */
  moduleRuns?: () => readonly ModuleRun[];
  /** Number arguments with a known origin, by the operator or tensor that the call made. */
  readonly numbers: Map<TracedOperator | TracedTensor, GivenNumbers>;
  /** Span of the definition of the policy that runs. */
  policyDefinition?: Span;
  /**
   * Whether the text is written for a system whose annotations alone decide how operators may be
   * split.
   */
  followsAnnotations?: boolean;
  /**
   * Bias additions separated from linear layers whose contracted dim is split, with the span that
   * asks for the split.
   */
  biasesAfterSums?: readonly { readonly operator: TracedOperator; readonly span: Span }[];
  /** Whether the text asks for all-reduces where reduce-scatters would do. */
  avoidsReduceScatter?: boolean;
  /** Whether a policy calls `graph.multiref` and so handles tensors with several readers itself. */
  multiref?: boolean;
  /** Stacked parameters of equal experts, with the experts' own parameters. */
  readonly stacks: Map<TracedTensor, readonly TracedTensor[]>;
  /**
   * Tensors that others replace: zeros by the sum of what was added to them, picked weights by the
   * whole weights. Unread ones are left out of the graph.
   */
  readonly filled: Set<TracedTensor>;
  readonly meshes: WrittenMesh[];
  readonly layouts: WrittenArrangement[];
  readonly shapes: {
    readonly name: string;
    readonly shape: readonly number[];
    readonly span: Span;
  }[];
  /** Parts whose results the backward pass recomputes. */
  readonly checkpoints: Checkpoint[];
  /** Offset from which the program only uses trained weights; that part is not drawn. */
  leftOutFrom?: number;
  /** Training progress of the run. */
  readonly rounds: RepeatedRounds;
  /** Data that systems keep for themselves during a run, by system name. */
  readonly bySystem: Map<string, object>;
  /**
   * Weights of linear layers whose contracted dim a system's own words split, with the spans that
   * ask for it.
   */
  readonly cutRows: Map<TracedTensor, Span>;
  readonly diagnostics: Diagnostic[];
}

/** Amounts recorded at a point of the run. */
export interface TraceMark {
  readonly tensors: number;
  readonly operators: number;
  readonly leaves: number;
}

export function emptyTrace(): Trace {
  return {
    tensors: [],
    operators: [],
    strategies: [],
    places: [],
    reshards: [],
    placedPieces: [],
    parallel: [],
    training: [],
    pins: [],
    partitions: [],
    unassigned: [],
    choices: [],
    stacks: new Map(),
    numbers: new Map(),
    filled: new Set(),
    meshes: [],
    layouts: [],
    shapes: [],
    checkpoints: [],
    rounds: new RepeatedRounds(),
    bySystem: new Map(),
    cutRows: new Map(),
    diagnostics: [],
  };
}
