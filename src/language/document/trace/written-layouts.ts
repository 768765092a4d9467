// Meshes, layouts and primitive strategies as written in a text, with spans.

import type { Machine, MachineFigures, OwnHardware, Platform } from "#core/cost/machines";
import type { Span } from "#core/diagnostics";
import type { Json } from "#core/dimops";
import type { SpanTree } from "#language/python";

/** Strategy that `.shard(…)` gave a primitive, with spans. */
export type ShardStrategy = TupleStrategy | LayoutStrategy;

/** Strategy as tuples: number of pieces per dim of each operand. */
export interface TupleStrategy {
  readonly kind: "tuples";
  readonly values: readonly (readonly number[])[];
  readonly outputs?: readonly (readonly number[])[];
  readonly tree: SpanTree | undefined;
  /** Spans of `out_strategy`. */
  readonly outTree?: SpanTree;
  readonly span: Span;
}

/** Strategy as called layouts: mesh axes per dim of each operand. */
export interface LayoutStrategy {
  readonly kind: "layouts";
  readonly inputs: readonly CalledLayout[];
  readonly outputs?: readonly CalledLayout[];
  readonly span: Span;
}

/** Arguments of `Layout(device_matrix, alias_name, rank_list)`: a device matrix with named axes. */
export interface LayoutSpec {
  readonly deviceMatrix: readonly number[];
  readonly aliasName: readonly string[];
  readonly rankList: readonly number[];
  /** Whether the last axis is `interleaved_parallel`, which splits inside one device. */
  readonly isInterleaved: boolean;
}

/** Entry of a tensor map: an axis counted from the right, -1 for none, or several axes. */
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
  /** Spans of the device matrix, for edits of its sizes. */
  readonly matrix: SpanTree | undefined;
}

/** Expression that constructs a primitive and gives it a strategy. */
export interface WrittenPrimitive {
  /** Span of the constructor call, or of the layer that holds the primitive. */
  readonly span: Span;
  /** Attribute of the layer that holds the primitive. */
  readonly member?: string;
  /** Span of all arguments of its `.shard(…)`. */
  readonly sharded?: Span;
}

/** The arguments of a primitive's call other than its operands. */
export interface PrimitiveCall {
  /** Arguments of constructor and call, by parameter of the primitive. */
  readonly arguments: Readonly<Record<string, Json>>;
  /** Attributes set by `add_prim_attr`. */
  readonly attributes: readonly {
    readonly name: string;
    readonly value: Json;
    readonly span: Span;
  }[];
  /** Strategy tuples that its system ignores. */
  readonly ignored?: readonly (readonly number[])[];
  /** Absent when no expression of the text constructs it, as inside a system's function. */
  readonly written?: WrittenPrimitive;
}

/** Axes of one dim as written, outermost first, with spans. */
export interface WrittenAxes {
  readonly axes: readonly { readonly name: string; readonly span: Span }[];
  readonly span: Span;
  /**
   * Entry of the tensor map, when a called `Layout` wrote it; it distinguishes "None" from `()`.
   */
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
    /** Named machine, alone or as the base of the user's own figures. */
    readonly machine?: Machine;
    readonly platform: Platform;
    /** User's own device, if it is written as figures. */
    readonly own?: OwnHardware;
    /** Spans of axis names in its links. */
    readonly axisSpans?: readonly { readonly axis: string; readonly span: Span }[];
    readonly span: Span;
  };
  /** Figures of `chip={…}` and `links={…}` that replace the machine's own. */
  readonly figures?: MachineFigures & {
    /** Spans of axis names in `links`. */
    readonly axisSpans: readonly { readonly axis: string; readonly span: Span }[];
  };
  /** Whether the mesh is assumed because a policy needs devices. */
  readonly isAssumed?: boolean;
  readonly span: Span;
}
