// Meshes, layouts and strategies of primitives as a text writes them, each with its place.

import type { Machine, MachineFigures } from "#core/cost";
import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { SpanTree } from "#language/python";

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

/** An axis name or several, outermost first, each with its place. */
export interface WrittenAxes {
  readonly axes: readonly { readonly name: string; readonly span: Span }[];
  readonly span: Span;
  /** The entry of the tensor map, where a called `Layout` wrote it: with its "None" and `()`. */
  readonly entry?: MapEntry;
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
