import type { Machine, MachineFigures } from "#core/cost";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Bound, Json, Kwargs, TransformRule } from "#core/dimops";
import type { Attributes, DType, Status } from "#core/ir";
import type { Optimizer } from "#core/training";
import type { Argument, Frame, InstanceValue, SpanTree, Value } from "#language/python";
import type { Size } from "./size.ts";

/** A tensor as the running program makes it; sizes and names settle when the program has ended. */
export interface TracedTensor {
  readonly kind: "tensor";
  role: "input" | "parameter" | "activation";
  shape: readonly Size[] | undefined;
  shapeStatus: Status;
  /** How the shape is written where the tensor is made. */
  readonly shapeTree?: SpanTree | undefined;
  dtype: DType;
  dtypeText: string;
  /** The first simple name that it is bound to, with the calls that were running. */
  name?: { readonly text: string; readonly frames: readonly Frame[] } | undefined;
  /** An input or parameter whose sizes the text does not all give. */
  readonly isOpen?: boolean;
  /** Its elements are those of an array of the text, not drawn when they are needed. */
  hasData?: boolean;
  /** The dims whose lengths are known when the program runs only, as it says itself. */
  readonly dynamicDims?: readonly number[] | undefined;
  /** Nobody knows its shape: an operator that is not known makes it, or something of unknown shape. */
  readonly isUnknown?: boolean | undefined;
  /**
   * Nobody knows its shape, and the one that stands is a guess, with which a system's own run of the
   * program can still be told: no figure may be claimed of it.
   */
  readonly isGuessed?: boolean | undefined;
  /** Nothing says its rank, and the one that it has is a guess. */
  isRankGuessed?: boolean;
  /** Whether the name is a variable of the module, so that new statements may use it. */
  isModuleVariable: boolean;
  readonly frames: readonly Frame[];
  producer?: TracedOperator;
  /** What a function that makes it out of numbers puts in. */
  readonly constant?: Constant | undefined;
  /** Into how many pieces on each dim a system feeds it, where that is said apart from its readers. */
  fed?: readonly number[];
  readonly span: Span;
}

/** The elements of a tensor that is made out of numbers: one, a row of them, or each. */
export type Constant =
  | { readonly kind: "fill"; readonly value: number }
  | { readonly kind: "row"; readonly start: number; readonly step: number }
  | { readonly kind: "data"; readonly values: readonly number[] };

/** What a registered function runs: its body in the text, or why that cannot be run here. */
export type FunctionBody =
  | {
      readonly kind: "callable";
      readonly callee: Value;
      /** Its first parameter is the `ctx` of an `autograd.Function`. */
      readonly takesContext: boolean;
    }
  | { readonly kind: "none"; readonly reason: string };

/** The function behind an operator, with what the call gave it. */
export interface CalledFunction {
  readonly label: string;
  readonly body: FunctionBody;
  /** A function of the text makes its inputs where it is measured. */
  readonly generatesInputs: boolean;
  /** Everything that the call passes, as it stands there. */
  readonly args: readonly Argument[];
  /** Those among them that are annotated inputs, in order. */
  readonly operands: readonly Argument[];
  /** The others, by parameter. */
  readonly named: ReadonlyMap<string, Argument>;
  /** Parameters that the call leaves out. */
  readonly absent: readonly string[];
}

/** An operand of a call that is no tensor. */
export interface PlainOperand {
  readonly kind: "plain";
  readonly integer?: number;
  readonly text: string;
}

/** How a primitive was told to split, with its places. */
export type ShardStrategy = TupleStrategy | LayoutStrategy;

/** Tuples: the number of pieces of each dim of each operand. */
export interface TupleStrategy {
  readonly kind: "tuples";
  readonly values: readonly (readonly number[])[];
  readonly outputs?: readonly (readonly number[])[];
  readonly tree: SpanTree | undefined;
  /** Of `out_strategy`. */
  readonly outTree?: SpanTree;
  readonly span: Span;
}

/** Called layouts: the axes of each dim of each operand. */
export interface LayoutStrategy {
  readonly kind: "layouts";
  readonly inputs: readonly CalledLayout[];
  readonly outputs?: readonly CalledLayout[];
  readonly span: Span;
}

/** An arrangement of devices with a name for each axis. */
export interface LayoutSpec {
  readonly deviceMatrix: readonly number[];
  readonly aliasName: readonly string[];
  readonly rankList: readonly number[];
  /** The last axis cuts inside one card. */
  readonly isInterleaved: boolean;
}

/** One entry of a tensor map: an axis counted from the right, -1 for none, or several. */
export type MapEntry = number | readonly number[];

/** One called layout: the arrangement that it names, and its dims as written. */
export interface CalledLayout {
  readonly spec: LayoutSpec;
  readonly dims: readonly WrittenAxes[];
}

/** `Layout(…)` as written. */
export interface WrittenArrangement {
  readonly spec: LayoutSpec;
  readonly span: Span;
  /** The device matrix, for edits of its sizes. */
  readonly matrix: SpanTree | undefined;
}

/** Where a text makes a primitive, and tells it how to split. */
export interface WrittenPrimitive {
  /** The call that makes it, or that makes the layer which holds it. */
  readonly span: Span;
  /** By which attribute a layer holds it. */
  readonly member?: string;
  /** All arguments of its `.shard(…)`. */
  readonly sharded?: Span;
}

/** What a call of a primitive says beside its operands. */
export interface PrimitiveCall {
  /** What the constructor and the call gave, by the names of the primitive. */
  readonly arguments: Readonly<Record<string, Json>>;
  /** What `add_prim_attr` gave. */
  readonly attributes: readonly {
    readonly name: string;
    readonly value: Json;
    readonly span: Span;
  }[];
  /** Absent where no expression of the text makes the primitive, as behind a function. */
  readonly written?: WrittenPrimitive;
}

/** One call of an operator. */
export interface TracedOperator {
  readonly op: string;
  /** The operator's name in a call without variables, e.g. `matmul` of `matmul_1`. */
  readonly stem: string;
  /** Candidates in order; the first that binds counts. */
  annotations: readonly { readonly text: string; readonly span?: Span }[];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
  readonly integers: Readonly<Record<string, number>>;
  /** The library entry of the call; absent for a registered function. */
  entry?: string | undefined;
  /** All arguments that are no tensors; the integers alone when unsaid. */
  readonly attributes?: Attributes | undefined;
  /** Arguments by name as a registered function was given them; the integers when unsaid. */
  readonly kwargs?: Kwargs | undefined;
  /** The call bound, where all its sizes were known when it was made. */
  bound?: Bound | undefined;
  /** Sizes that the annotation needs and nobody gave, by identifier. */
  readonly hidden?: Readonly<Record<string, Size>> | undefined;
  /** Of a registered function: what it runs. */
  readonly function?: CalledFunction | undefined;
  /** Cuts that the annotation does not imply. */
  readonly rules?: readonly TransformRule[] | undefined;
  /** Runs whole on every device unless the text says otherwise. */
  readonly isReplicated?: boolean | undefined;
  /** Follows its operands even where a system's defaults would say otherwise. */
  readonly isFree?: boolean | undefined;
  outputs: readonly TracedTensor[];
  readonly linear: readonly (readonly number[])[];
  readonly reducesInside: boolean;
  readonly strategy?: ShardStrategy | undefined;
  /** Of a primitive: an operator that is made before it is called. */
  readonly primitive?: PrimitiveCall | undefined;
  readonly frames: readonly Frame[];
  /** The layer whose call it is, where no method of the text computes it. */
  layer?: InstanceValue;
  readonly span: Span;
}

/** An axis name or several, outermost first, each with its place. */
export interface WrittenAxes {
  readonly axes: readonly { readonly name: string; readonly span: Span }[];
  readonly span: Span;
  /** The entry of the tensor map, where a called `Layout` wrote it: with its "None" and `()`. */
  readonly entry?: MapEntry;
}

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

/** A called layout: one entry per dim. */
export interface WrittenLayout {
  readonly dims: readonly WrittenAxes[];
  readonly span: Span;
}

/** `Mesh(…)` as written. */
export interface WrittenMesh {
  readonly axes: readonly {
    readonly name: string;
    readonly size: number;
    readonly span: Span;
    readonly sizeSpan: Span;
  }[];
  readonly devices: readonly number[] | undefined;
  readonly devicesSpan?: Span;
  readonly hardware?: { readonly machine: Machine; readonly span: Span };
  /** What `chip={…}` and `links={…}` say in place of the machine's own figures. */
  readonly figures?: MachineFigures & {
    /** Where the axes of `links` are named. */
    readonly axisSpans: readonly { readonly axis: string; readonly span: Span }[];
  };
  /** Nobody wrote it: a policy needs devices. */
  readonly isAssumed?: boolean;
  readonly span: Span;
}

/** `train(loss, …)` as written. */
export interface TrainCall {
  readonly loss: TracedTensor | string;
  readonly optimizer: Optimizer;
  readonly microbatches: number;
  readonly zero: 0 | 1 | 2 | 3;
  readonly recompute: readonly (TracedTensor | string)[];
  readonly span: Span;
}

/** One level of a nested partition: an identifier cut into pieces, or copies of the operator. */
export interface Level {
  /** Absent for copies. */
  readonly identifier?: string;
  readonly count: number;
  /** The copies are of the whole plan, on further devices that work on data of their own. */
  readonly isRepeated?: true;
}

/** A piece of an operator: which piece of each level it is, and the devices that run it. */
export interface AssignedPiece {
  readonly path: readonly number[];
  readonly devices: readonly number[];
}

/** How a policy splits an operator. */
export interface PolicyPartition {
  readonly operator: TracedOperator;
  readonly levels: readonly Level[];
  readonly pieces: readonly AssignedPiece[];
  readonly span: Span;
}

/** The policy that a text runs, and the nodes that it sees. */
export interface WrittenPolicy {
  /** The body of its function in the text; absent of one of a system's own, and behind a partial. */
  readonly body?: Span;
  /** What its function calls the graph. */
  readonly graph: string;
  /** Where a call names it. */
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
}

/** How a policy tells a node: the name of its function, and the path of the layer that calls it. */
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

/** Something that could run, or decide how it runs, if the text said so in one line. */
export interface TextChoice {
  readonly group: "calls" | "policies";
  readonly name: string;
  /** The line that chooses it. */
  readonly line: string;
  readonly isChosen: boolean;
  /** What chooses it: the line at the end of the text, or in place of one that chooses another. */
  readonly edits: Fix["edits"];
}

/** Everything that one run of the program left behind. */
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
  /** Where the policy that runs is defined. */
  policyDefinition?: Span;
  /** The additions of biases to what linear layers with a cut sum up, and what asks for the cut. */
  biasesAfterSums?: readonly { readonly operator: TracedOperator; readonly span: Span }[];
  /** The text has sums added up whole where a part of them would do. */
  avoidsReduceScatter?: boolean;
  /** A policy calls `graph.multiref`: it sees to tensors with several readers itself. */
  multiref?: boolean;
  readonly meshes: WrittenMesh[];
  readonly layouts: WrittenArrangement[];
  readonly shapes: {
    readonly name: string;
    readonly shape: readonly number[];
    readonly span: Span;
  }[];
  readonly diagnostics: Diagnostic[];
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
    meshes: [],
    layouts: [],
    shapes: [],
    diagnostics: [],
  };
}
