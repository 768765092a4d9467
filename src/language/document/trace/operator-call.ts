import type { Span } from "#core/diagnostics";
import type { Kwargs, TransformRule } from "#core/dimops";
import type { Attributes, DType, GradientDependence, Status } from "#core/ir";
import type { SpanTree } from "#language/python";
import type { Size } from "./size.ts";
import type {
  CalledFunction,
  Constant,
  PlainOperand,
  TracedOperator,
  TracedTensor,
} from "./traced.ts";
import type { PrimitiveCall, ShardStrategy } from "./written-layouts.ts";

/** Data type of a result. */
export interface ResultType {
  readonly dtype: DType;
  readonly dtypeText: string;
  /** Whether it depends on an assumed data type. */
  readonly isAssumed?: boolean;
}

/** A call of an operator, before it is recorded. */
export interface OperatorCall {
  readonly op: string;
  readonly stem: string;
  readonly annotations: TracedOperator["annotations"];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
  readonly integers: Readonly<Record<string, number>>;
  readonly entry?: string;
  readonly attributes?: Attributes;
  /**
   * Data types of the results; the last applies to all further ones. Absent means that of the first
   * tensor.
   */
  readonly types?: readonly (ResultType | undefined)[];
  readonly kwargs?: Kwargs;
  readonly hidden?: Readonly<Record<string, Size>>;
  readonly function?: CalledFunction;
  readonly rules?: readonly TransformRule[];
  readonly path?: string;
  readonly isReplicated?: boolean;
  readonly linear: readonly (readonly number[])[];
  readonly reducesInside: boolean;
  readonly strategy?: ShardStrategy;
  readonly primitive?: PrimitiveCall;
  /**
   * How far the shapes of results are known. `unknown`: not at all. `known`: independent of the
   * operands' shapes. `guessed`: given by the annotation, which may be wrong. When absent the
   * annotation gives them, and they are unknown or guessed if an operand's shape is.
   */
  readonly results?: "unknown" | "known" | "guessed";
  /** For an operator known only by its shapes: whether and how gradients pass back through it. */
  readonly passesBack?: GradientDependence | undefined;
  /** Whether results that the annotation writes as `1` are scalars without dims. */
  readonly givesScalars?: boolean;
  readonly span: Span;
}

/** Description of a new input or parameter. */
export interface LeafSpec {
  readonly role: "input" | "parameter";
  readonly shape: readonly Size[] | undefined;
  readonly shapeStatus: Status;
  readonly shapeTree?: SpanTree;
  readonly dtype: DType;
  readonly dtypeText: string;
  /** Whether its data type is assumed. */
  readonly isTypeAssumed?: boolean;
  readonly constant?: Constant;
  /** Whether its shape is unknown. */
  readonly isUnknown?: boolean;
  /** Sizes of leading dims, when known before the rank. */
  readonly leading?: readonly Size[];
  /** Dims whose sizes are known only at run time. */
  readonly dynamicDims?: readonly number[];
  readonly span: Span;
}
