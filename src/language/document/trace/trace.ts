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
    /** From the comma's successor to the end of the value, for removal. */
    readonly span: Span;
  }[];
  readonly carry: WrittenAxes | undefined;
  readonly span: Span;
}

/** `place(target, layout(…))` as written, or an input of a functional `shard`. */
export interface PlaceCall {
  readonly target: TracedTensor | string;
  readonly layout: WrittenLayout;
  /** The arrangement that the layout names, when it names one. */
  readonly spec?: LayoutSpec;
  readonly span: Span;
}

/** `reshard(target, steps=…, to=layout(…))` as written. */
export interface ReshardCall {
  readonly target: TracedTensor | string;
  /** A number of steps, or a system. */
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
   * Operators by their results, names of operators and modules; every block of a list; or as few of
   * those as hold the peak within some bytes.
   */
  readonly recompute: readonly (TracedTensor | string)[] | "full" | { readonly bytes: number };
  readonly policy: TrainPolicy;
  /** It is how a system's own words are read, and no `train(…)` of the text. */
  readonly isOfSystem?: true;
  readonly span: Span;
}

/** The data types that a step trains in, and how its kernels run: only what is said. */
export type TrainPolicy = Pick<
  Training,
  "precision" | "gradients" | "reduces" | "compiled" | "overlap"
>;

/** One level of a nested partition: the pieces of an identifier, or copies of the operator. */
export interface Level {
  /** Absent for copies. */
  readonly identifier?: string;
  readonly count: number;
  /** Whether the copies are of the whole plan, on further devices with data of their own. */
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

/** The policy that a text runs, and the nodes of the graph that it gets. */
export interface WrittenPolicy {
  /** The body of its function in the text; absent of a policy of the system, and of a `partial`. */
  readonly body?: Span;
  /** Name of the parameter for the graph. */
  readonly graph: string;
  /** The argument of a call that names it. */
  readonly argument?: Span;
  readonly nodes: readonly PolicyNodeName[];
}

/** The module whose method, or, as a layer, whose call makes an operator. */
export interface CalledModule {
  /** The module that no other one holds. */
  readonly root: InstanceValue;
  /** Its path from there, e.g. `layers.0.attn`; empty for the root itself. */
  readonly path: string;
  /** The module that the program itself calls, at or above this one. */
  readonly called: InstanceValue;
  /** The module whose call it is. */
  readonly module: InstanceValue;
}

/** A run of a module, and what it is given. */
export interface ModuleRun {
  /** The module that no other one holds. */
  readonly root: InstanceValue;
  readonly module: InstanceValue;
  /** Its path from the root, as that of `CalledModule`. */
  readonly path: string;
  readonly args: readonly Argument[];
}

/**
 * How a policy identifies a node: by the name of its function and the path of the calling layer.
 */
export interface PolicyNodeName {
  readonly operator: TracedOperator;
  readonly name: string;
  readonly layer: string;
}

/** `pin(target)` as written; `meshWord` stands for the mesh. */
export interface PinCall {
  readonly target: TracedTensor | string;
  readonly span: Span;
}

/** The name by which a pin means the mesh. */
export const meshWord = "mesh";

/** How a program is to run in parallel, as a system's context says it. */
export interface ParallelSetting {
  readonly mode: string;
  readonly span: Span;
  /** How many devices there are. */
  readonly devices?: number;
  /** Which of them the program is compiled for. */
  readonly rank?: number;
  /** Whether redistributions may use AllToAll. */
  readonly allToAll?: boolean;
  /** How the context takes what is fed, where that is not as the whole batch. */
  readonly fed?: "share" | "layout";
  /** What the context says besides, and is not read. */
  readonly unread?: readonly ("optimizer" | "stages")[];
}

/** One thing that a line of the text could choose to run, or to decide the plan. */
export interface TextChoice {
  readonly group: "calls" | "policies";
  readonly name: string;
  /** The line that chooses it. */
  readonly line: string;
  readonly isChosen: boolean;
  /** Writes the line, at the end of the text or in place of the line that chooses another. */
  readonly edits: Fix["edits"];
}

/** Everything that one run of a program recorded. */
export interface Trace {
  readonly tensors: TracedTensor[];
  readonly operators: TracedOperator[];
  readonly strategies: StrategyCall[];
  readonly places: PlaceCall[];
  readonly reshards: ReshardCall[];
  readonly placedPieces: PlacedPieces[];
  /** The modes of `AutoParallel(…)` and of a system's context, in program order. */
  readonly parallel: ParallelSetting[];
  readonly training: TrainCall[];
  readonly pins: PinCall[];
  readonly partitions: PolicyPartition[];
  /** Operators that a policy leaves alone, and where that policy stands. */
  readonly unassigned: TracedOperator[];
  policySpan?: Span;
  policy?: WrittenPolicy;
  /** What else the text could run. */
  readonly choices: TextChoice[];
  /** A system has said that nothing is drawn, and why. */
  saysNothingDrawn?: boolean;
  /** Where in a tree of modules an operator is made; none outside of all. */
  moduleOf?: (operator: TracedOperator) => CalledModule | undefined;
  /** Every run of a module, in program order. */
  moduleRuns?: () => readonly ModuleRun[];
  /** The numbers that calls were given and that say where they come from, by what the calls made. */
  readonly numbers: Map<TracedOperator | TracedTensor, GivenNumbers>;
  /** Where the policy that runs is defined. */
  policyDefinition?: Span;
  /** The text is written for a system whose annotations alone say how operators may be cut. */
  followsAnnotations?: boolean;
  /** The additions of biases to what linear layers with a cut sum up, and what asks for the cut. */
  biasesAfterSums?: readonly { readonly operator: TracedOperator; readonly span: Span }[];
  /** The text asks for all-reduces where reduce-scatters would do. */
  avoidsReduceScatter?: boolean;
  /** A policy calls `graph.multiref`: it sees to tensors with several readers itself. */
  multiref?: boolean;
  /** Parameters that are those of equal experts one above the other, with the experts' own. */
  readonly stacks: Map<TracedTensor, readonly TracedTensor[]>;
  /**
   * Tensors that others replace: zeros by the sum of what was added to them, picked weights by the
   * weights in place. Those that nothing reads are left out of the graph.
   */
  readonly filled: Set<TracedTensor>;
  readonly meshes: WrittenMesh[];
  readonly layouts: WrittenArrangement[];
  readonly shapes: {
    readonly name: string;
    readonly shape: readonly number[];
    readonly span: Span;
  }[];
  /** Parts whose results a backward pass computes again. */
  readonly checkpoints: Checkpoint[];
  /** From which place of the text on a run only uses what was trained, which is not drawn. */
  leftOutFrom?: number;
  /** What of its training the program has run. */
  readonly rounds: RepeatedRounds;
  /** What systems note of a run for themselves, by their names. */
  readonly bySystem: Map<string, object>;
  /** Weights of linear layers whose rows a system's own words cut, and where they say it. */
  readonly cutRows: Map<TracedTensor, Span>;
  readonly diagnostics: Diagnostic[];
}

/** How much had been written down at some time. */
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
