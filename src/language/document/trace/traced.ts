// The tensors and operators that a running program makes.

import type { Span } from "#core/diagnostics";
import type { Bound, Kwargs, TransformRule } from "#core/dimops";
import type { Attributes, DType, PassesBack, Status } from "#core/ir";
import type { Argument, Frame, InstanceValue, SpanTree, Value } from "#language/python";
import type { Size } from "./size.ts";
import type { MapEntry, PrimitiveCall, ShardStrategy } from "./written-layouts.ts";

/** A tensor of the running program; sizes and names are settled when the program has ended. */
export interface TracedTensor {
  readonly kind: "tensor";
  role: "input" | "parameter" | "activation";
  shape: readonly Size[] | undefined;
  shapeStatus: Status;
  /** How the shape is written where the tensor is made. */
  readonly shapeTree?: SpanTree | undefined;
  dtype: DType;
  dtypeText: string;
  /** Nobody says its data type, or it follows from one that nobody says. */
  isTypeAssumed?: boolean | undefined;
  /** The parameter of a module whose data type was changed after its first use. */
  isCastParameter?: boolean | undefined;
  /** The first simple name that it is bound to, with the calls that were running. */
  name?: { readonly text: string; readonly frames: readonly Frame[] } | undefined;
  /** An input or parameter whose sizes the text does not all give. */
  readonly isOpen?: boolean;
  /** Its elements are those of an array of the text, not drawn when they are needed. */
  hasData?: boolean;
  /** How long its first dims are, where that is known before its rank. */
  readonly leading?: readonly Size[] | undefined;
  /** Samples that the text cuts out of its data for a step. */
  isData?: true;
  /** The dims whose lengths are known when the program runs only, as it says itself. */
  readonly dynamicDims?: readonly number[] | undefined;
  /** Nobody knows its shape: an operator that is not known makes it, or something of unknown shape. */
  readonly isUnknown?: boolean | undefined;
  /**
   * Whether the shape is a guess, which serves only to imitate a system's own run of the program;
   * no figure may be claimed from it.
   */
  readonly isGuessed?: boolean | undefined;
  /** By dim of an input or parameter, whether its size is a default, which nothing determines. */
  readonly defaults?: readonly boolean[] | undefined;
  /** Whether the rank is a guess. */
  isRankGuessed?: boolean;
  /** A variable of the module names it among several results: `a, b = net(x)`. */
  isTakenApart?: boolean;
  /** Whether the name is a variable of the module, so that new statements may use it. */
  isModuleVariable: boolean;
  readonly frames: readonly Frame[];
  /** A function makes it when it is needed, and neither a module nor a variable holds it. */
  isMadeInside?: boolean;
  /** An operator makes it, and a module holds it: a mask that it works out once. */
  isHeld?: boolean;
  /** A parameter that the training step leaves as it is. */
  isFrozen?: boolean;
  /** Other elements were written into it, or into what may share its elements. */
  isWritten?: boolean;
  /** The elements that it was left with by the last operator in place, where they are known. */
  written?: { readonly values: readonly number[]; readonly isExact: boolean } | undefined;
  producer?: TracedOperator;
  /** What a function that makes it out of numbers puts in. */
  readonly constant?: Constant | undefined;
  /** Into how many pieces on each dim a system feeds it, where that is said apart from its readers. */
  fed?: readonly number[];
  /** On which device axes, counted from the last one, those pieces lie, where that is said too. */
  fedLayout?:
    | { readonly deviceMatrix: readonly number[]; readonly tensorMap: readonly MapEntry[] }
    | undefined;
  readonly span: Span;
}

/** The elements of a tensor made from numbers: one for all, an arithmetic row, or each. */
export type Constant =
  | { readonly kind: "fill"; readonly value: number }
  | { readonly kind: "row"; readonly start: number; readonly step: number }
  | { readonly kind: "data"; readonly values: readonly number[] };

/** The body of a registered function in the text, or why it cannot be run here. */
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

/** One call of an operator in the running program. */
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
  /** The dotted path of the function that the text calls, where it is one of a system's modules. */
  readonly path?: string | undefined;
  /** Runs whole on every device unless the text says otherwise. */
  readonly isReplicated?: boolean | undefined;
  /** Follows its operands even where a system's defaults would say otherwise. */
  readonly isFree?: boolean | undefined;
  /** By operand and dim, whether a size is a default, which nothing in the text determines. */
  assumed?: AssumedDims;
  /** Python's `a op= b`, whose result stands where `a` stood. */
  isUpdate?: true;
  /** Python's `a[…]`. */
  isSubscript?: true;
  /** No gradient passes back through it. */
  readonly endsGradient?: boolean | undefined;
  /** For an operator known only by its shapes: whether and how gradients pass back through it. */
  readonly passesBack?: PassesBack | undefined;
  outputs: readonly TracedTensor[];
  readonly linear: readonly (readonly number[])[];
  readonly reducesInside: boolean;
  readonly strategy?: ShardStrategy | undefined;
  /** Of a primitive: an operator that is made before it is called. */
  readonly primitive?: PrimitiveCall | undefined;
  /** Arithmetic of its f32 products, if not f32. */
  readonly arithmetic?: "tf32" | undefined;
  readonly frames: readonly Frame[];
  /** The layer whose call the operator is, where no method of the text computes it. */
  layer?: InstanceValue;
  /** The innermost module of a package whose method computes it; such a method has no frame in the text. */
  inside?: InstanceValue;
  /** The Cell that the program itself calls to compute it, where that is one of a package. */
  called?: InstanceValue;
  readonly span: Span;
}

/** By operand and dim, whether a size is a default; absent where none of an operator is. */
export type AssumedDims = readonly (readonly boolean[])[];

/** What one call computes of which only its operands are kept. */
export interface Checkpoint {
  readonly operators: ReadonlySet<TracedOperator>;
  /** Everything runs again, also what no backward pass reads; else no more than that needs. */
  readonly runsWhole: boolean;
}
