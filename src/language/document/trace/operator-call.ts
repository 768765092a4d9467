import type { Span } from "#core/diagnostics";
import type { Kwargs, TransformRule } from "#core/dimops";
import type { Attributes, DType, PassesBack, Status } from "#core/ir";
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

/** The data type of a result. */
export interface ResultType {
  readonly dtype: DType;
  readonly dtypeText: string;
  /** It follows from one that nobody says. */
  readonly isAssumed?: boolean;
}

/** What a call of an operator says. */
export interface OperatorCall {
  readonly op: string;
  readonly stem: string;
  readonly annotations: TracedOperator["annotations"];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
  readonly integers: Readonly<Record<string, number>>;
  readonly entry?: string;
  readonly attributes?: Attributes;
  /** The data types of the results, the last for all further ones; that of the first tensor when unsaid. */
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
   * How far the shapes of the results are known. `unknown`: not at all. `known`: they do not depend
   * on the operands' shapes. `guessed`: as the annotation says, which may be wrong. When unsaid
   * they are as the annotation says; unknown or guessed if an operand's shape is.
   */
  readonly results?: "unknown" | "known" | "guessed";
  /** For an operator known only by its shapes: whether and how gradients pass back through it. */
  readonly passesBack?: PassesBack | undefined;
  /** Its results are scalars: the annotation writes them as `1`, and they have no dims. */
  readonly givesScalars?: boolean;
  readonly span: Span;
}

/** What a new input or parameter says. */
export interface LeafSpec {
  readonly role: "input" | "parameter";
  readonly shape: readonly Size[] | undefined;
  readonly shapeStatus: Status;
  readonly shapeTree?: SpanTree;
  readonly dtype: DType;
  readonly dtypeText: string;
  /** Nobody says its data type. */
  readonly isTypeAssumed?: boolean;
  readonly constant?: Constant;
  /** Nobody knows its shape. */
  readonly isUnknown?: boolean;
  /** How long its first dims are, where that is known before its rank. */
  readonly leading?: readonly Size[];
  /** The dims whose lengths are known when the program runs only. */
  readonly dynamicDims?: readonly number[];
  readonly span: Span;
}
