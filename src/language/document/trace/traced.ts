// Tensors and operators of a running program.

import type { Span } from "#core/diagnostics";
import type { Bound, Kwargs, TransformRule } from "#core/dimops";
import type { Attributes, DType, GradientDependence, Status } from "#core/ir";
import type { Argument, Frame, InstanceValue, SpanTree, Value } from "#language/python";
import type { Size } from "./size.ts";
import type { MapEntry, PrimitiveCall, ShardStrategy } from "./written-layouts.ts";

/** A tensor of the running program; sizes and names are settled when the program has ended. */
export interface TracedTensor {
  readonly kind: "tensor";
  role: "input" | "parameter" | "activation";
  shape: readonly Size[] | undefined;
  shapeStatus: Status;
  /** Spans of the shape where the tensor is created. */
  readonly shapeTree?: SpanTree | undefined;
  dtype: DType;
  dtypeText: string;
  /** Whether its data type is assumed, or depends on an assumed one. */
  isTypeAssumed?: boolean | undefined;
  /** Whether it is a module's parameter whose data type was changed after its first use. */
  isCastParameter?: boolean | undefined;
  /** First simple name it was bound to, with the frames running then. */
  name?: { readonly text: string; readonly frames: readonly Frame[] } | undefined;
  /** Whether it is an input or parameter with open sizes. */
  readonly isOpen?: boolean;
  /** Whether its elements come from an array of the text instead of being drawn. */
  hasData?: boolean;
  /** Sizes of leading dims, when known before the rank. */
  readonly leading?: readonly Size[] | undefined;
  /** Samples that the text slices out of its data for a step. */
  isData?: true;
  /** Dims that the program declares as dynamic: their sizes are known only at run time. */
  readonly dynamicDims?: readonly number[] | undefined;
  /**
   * Whether its shape is unknown: an unknown operator makes it, or one with an operand of unknown
   * shape.
   */
  readonly isUnknown?: boolean | undefined;
  /**
   * Whether the shape is a guess. It serves only to imitate a system's run of the program; no
   * figure may be derived from it.
   */
  readonly isGuessed?: boolean | undefined;
  /** Per dim of an input or parameter: whether its size is a default that nothing determines. */
  readonly defaults?: readonly boolean[] | undefined;
  /** Whether the rank is a guess. */
  isRankGuessed?: boolean;
  /** Whether a module-level variable names it among several results: `a, b = net(x)`. */
  isTakenApart?: boolean;
  /** Whether the name is a module-level variable, so that new statements may use it. */
  isModuleVariable: boolean;
  readonly frames: readonly Frame[];
  /** Whether a function makes it on use and neither a module nor a variable holds it. */
  isMadeInside?: boolean;
  /** Whether an operator makes it and a module holds it, such as a mask computed once. */
  isHeld?: boolean;
  /** Whether it is a parameter that the training step does not update. */
  isFrozen?: boolean;
  /** Whether other elements were written into it, or into a tensor that may share its elements. */
  isWritten?: boolean;
  /** Its elements after the last in-place operator, where known. */
  written?: { readonly values: readonly number[]; readonly isExact: boolean } | undefined;
  producer?: TracedOperator;
  /** Elements with which a creation function fills it. */
  readonly constant?: Constant | undefined;
  /** Number of pieces per dim in which a system feeds it, when given apart from its readers. */
  fed?: readonly number[];
  /** Tensor map of those pieces on a device matrix (axes counted from the last one), when given. */
  fedLayout?:
    | { readonly deviceMatrix: readonly number[]; readonly tensorMap: readonly MapEntry[] }
    | undefined;
  readonly span: Span;
}

/** Elements of a tensor made from numbers: one value for all, an arithmetic sequence, or a list. */
export type Constant =
  | { readonly kind: "fill"; readonly value: number }
  | { readonly kind: "row"; readonly start: number; readonly step: number }
  | { readonly kind: "data"; readonly values: readonly number[] };

/** Body of a registered function in the text, or the reason why it cannot run here. */
export type FunctionBody =
  | {
      readonly kind: "callable";
      readonly callee: Value;
      /** Whether its first parameter is the `ctx` of an `autograd.Function`. */
      readonly takesContext: boolean;
    }
  | { readonly kind: "none"; readonly reason: string };

/** Function behind an operator, with the arguments of the call. */
export interface CalledFunction {
  readonly label: string;
  readonly body: FunctionBody;
  /** Whether a function of the text generates its inputs for measuring. */
  readonly generatesInputs: boolean;
  /** All arguments of the call, in their order. */
  readonly args: readonly Argument[];
  /** Arguments that are annotated inputs, in order. */
  readonly operands: readonly Argument[];
  /** Other arguments, by parameter. */
  readonly named: ReadonlyMap<string, Argument>;
  /** Parameters that the call does not pass. */
  readonly absent: readonly string[];
}

/** Operand of a call that is no tensor. */
export interface PlainOperand {
  readonly kind: "plain";
  readonly integer?: number;
  readonly text: string;
}

/** One call of an operator in the running program. */
export interface TracedOperator {
  readonly op: string;
  /** The operator's name in a call without variables, e.g. `matmul` of `matmul_1`. */
  readonly stem: string;
  /** Candidate annotations in order; the first that binds is used. */
  annotations: readonly { readonly text: string; readonly span?: Span }[];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
  readonly integers: Readonly<Record<string, number>>;
  /** The library entry of the call; absent for a registered function. */
  entry?: string | undefined;
  /** All non-tensor arguments; absent means only the integers. */
  readonly attributes?: Attributes | undefined;
  /** Keyword arguments of a registered function as passed; absent means the integers. */
  readonly kwargs?: Kwargs | undefined;
  /** Bound call, if all its sizes were known when it was recorded. */
  bound?: Bound | undefined;
  /** Open sizes, by identifier, that the annotation needs and the call does not give. */
  readonly hidden?: Readonly<Record<string, Size>> | undefined;
  /** Function of a registered operator. */
  readonly function?: CalledFunction | undefined;
  /** Transform rules: cuts that the annotation does not imply. */
  readonly rules?: readonly TransformRule[] | undefined;
  /** Dotted path of the called function, when it belongs to a system's module. */
  readonly path?: string | undefined;
  /** Whether it runs whole on every device unless the text says otherwise. */
  readonly isReplicated?: boolean | undefined;
  /** Whether it follows its operands' layouts even against a system's defaults. */
  readonly isFree?: boolean | undefined;
  /** Per operand and dim: whether a size is a default that nothing in the text determines. */
  assumed?: AssumedDims;
  /** Python's `a op= b`; the result is bound to `a`. */
  isUpdate?: true;
  /** Python's `a[…]`. */
  isSubscript?: true;
  /** Whether no gradient passes back through it. */
  readonly endsGradient?: boolean | undefined;
  /** For an operator known only by its shapes: whether and how gradients pass back through it. */
  readonly passesBack?: GradientDependence | undefined;
  outputs: readonly TracedTensor[];
  readonly linear: readonly (readonly number[])[];
  readonly reducesInside: boolean;
  readonly strategy?: ShardStrategy | undefined;
  /** Arguments of a primitive, an operator object that is constructed before it is called. */
  readonly primitive?: PrimitiveCall | undefined;
  /** Arithmetic of its f32 products, if not f32. */
  readonly arithmetic?: "tf32" | undefined;
  readonly frames: readonly Frame[];
  /** Layer whose call is the operator, when no method of the text computes it. */
  layer?: InstanceValue;
  /**
   * Innermost module of a package whose method computes it; such a method has no frame in the text.
   */
  inside?: InstanceValue;
  /** Cell of a package that the program itself calls to compute it. */
  called?: InstanceValue;
  readonly span: Span;
}

/** Per operand and dim: whether a size is a default; absent for operators without one. */
export type AssumedDims = readonly (readonly boolean[])[];

/**
 * Operators of a checkpointed call: only their inputs from outside are kept for the backward pass.
 */
export interface Checkpoint {
  readonly operators: ReadonlySet<TracedOperator>;
  /** Whether all operators run again, including those no backward pass reads. */
  readonly runsWhole: boolean;
}
