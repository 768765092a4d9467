// Meshes, layouts and strategies of primitives as a text writes them, each with its place.

import type { Machine, MachineFigures, OwnHardware, Platform } from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { SpanTree } from "#language/python";

/** The strategy that a primitive was given by `.shard(…)`, with its spans. */
export type ShardStrategy = TupleStrategy | LayoutStrategy;

/** A strategy as tuples: the number of pieces per dim of each operand. */
export interface TupleStrategy {
  readonly kind: "tuples";
  readonly values: readonly (readonly number[])[];
  readonly outputs?: readonly (readonly number[])[];
  readonly tree: SpanTree | undefined;
  /** Of `out_strategy`. */
  readonly outTree?: SpanTree;
  readonly span: Span;
}

/** A strategy as called layouts: the axes per dim of each operand. */
export interface LayoutStrategy {
  readonly kind: "layouts";
  readonly inputs: readonly CalledLayout[];
  readonly outputs?: readonly CalledLayout[];
  readonly span: Span;
}

/** What `Layout(device_matrix, alias_name, rank_list)` makes: devices with a name for each axis. */
export interface LayoutSpec {
  readonly deviceMatrix: readonly number[];
  readonly aliasName: readonly string[];
  readonly rankList: readonly number[];
  /** Whether the last axis is `interleaved_parallel`, which cuts inside one device. */
  readonly isInterleaved: boolean;
}

/** One entry of a tensor map: an axis counted from the right, -1 for none, or several axes. */
export type MapEntry = number | readonly number[];

/** A called layout: its spec, and the axes per dim as written. */
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

/** Where a text constructs a primitive and gives it a strategy. */
export interface WrittenPrimitive {
  /** The call that constructs it, or the layer that holds it. */
  readonly span: Span;
  /** The attribute of the layer that holds it. */
  readonly member?: string;
  /** All arguments of its `.shard(…)`. */
  readonly sharded?: Span;
}

/** The arguments of a primitive's call other than its operands. */
export interface PrimitiveCall {
  /** The arguments of the constructor and the call, by parameter of the primitive. */
  readonly arguments: Readonly<Record<string, Json>>;
  /** The attributes set by `add_prim_attr`. */
  readonly attributes: readonly {
    readonly name: string;
    readonly value: Json;
    readonly span: Span;
  }[];
  /** The tuples that it was given as a strategy and that its system does not read. */
  readonly ignored?: readonly (readonly number[])[];
  /** Absent where no expression of the text constructs it, as inside a function of the system. */
  readonly written?: WrittenPrimitive;
}

/** The axes of one dim as written, outermost first, each with its span. */
export interface WrittenAxes {
  readonly axes: readonly { readonly name: string; readonly span: Span }[];
  readonly span: Span;
  /** The entry of the tensor map, where a called `Layout` wrote it: it tells "None" from `()`. */
  readonly entry?: MapEntry;
}

/** The dims of a called layout as written. */
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
  readonly hardware?: {
    /** The named machine, alone or as the base of the reader's own figures. */
    readonly machine?: Machine;
    readonly platform: Platform;
    /** The reader's own device, if it is written as figures. */
    readonly own?: OwnHardware;
    /** Where it names axes, by their links. */
    readonly axisSpans?: readonly { readonly axis: string; readonly span: Span }[];
    readonly span: Span;
  };
  /** What `chip={…}` and `links={…}` say in place of the machine's own figures. */
  readonly figures?: MachineFigures & {
    /** Where the axes of `links` are named. */
    readonly axisSpans: readonly { readonly axis: string; readonly span: Span }[];
  };
  /** Nobody wrote it: a policy needs devices. */
  readonly isAssumed?: boolean;
  readonly span: Span;
}
