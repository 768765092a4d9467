import type { Span } from "#core/diagnostics";
import type { OpAnno, Reduction } from "#core/dimops";
import type { Box, Projection } from "#core/indexspace";
import { createById } from "#core/records";
import type { Attributes } from "./attributes.ts";
import type { Body } from "./body/body.ts";
import type { DType } from "./dtype.ts";

declare const tensorBrand: unique symbol;
declare const operatorBrand: unique symbol;

/** Identity of a tensor within one graph. */
export type TensorId = string & { readonly [tensorBrand]: true };

/** Identity of an operator within one graph. */
export type OperatorId = string & { readonly [operatorBrand]: true };

/** Origin of a value: written, derived, or a default for a missing one. */
export type Status = "set" | "inferred" | "assumed";

/** The part of a training step in which an operator runs. */
export type Phase = "forward" | "recompute" | "backward" | "update";

/** One index axis of an operator: an identifier of its annotation with its size. */
export interface IndexAxis {
  readonly name: string;
  readonly size: number;
  readonly reduction: Reduction;
  /** First index as the text counts it; 0 if absent. All other fields count from 0. */
  readonly start?: number;
}

/**
 * Dim of an operand: its identifiers, most major first, and the one that can be cut. In a bracket
 * that is the first whose size is not 1; absent for a frozen or numeric dim.
 */
export interface OperandDim {
  readonly identifiers: readonly string[];
  readonly splittable?: string;
}

/** One operand: a tensor and the projection of the operator's index axes onto its dims. */
export interface Operand {
  readonly tensor: TensorId;
  readonly dims: readonly OperandDim[];
  /**
   * Index axes whose pieces share the operand by value: each gets an equal share, and the shares
   * sum up to it (the `V` of a transform rule's input, dimops.md §3).
   */
  readonly shared?: readonly string[];
  /** The part of the tensor that the operator touches, counted from 0; the whole if absent. */
  readonly range?: Box;
  /**
   * How the index axes touch the tensor where `dims` cannot say it (windows, halos, strides,
   * offsets, diagonals): one row per dim with a coefficient per axis of the operator; axes and
   * tensor both counted from 0. `dims` then say along which axis each dim is best cut.
   */
  readonly projection?: Projection;
}

/** The role of a tensor in a program: given, trained, computed, or part of a training step. */
export type TensorRole = "input" | "parameter" | "activation" | "gradient" | "state";

/** A tensor of the program. */
export interface Tensor {
  readonly id: TensorId;
  /** The user's name for it; unique within the graph. */
  readonly name: string;
  readonly shape: readonly number[];
  /**
   * The first index of each dim in the words of the text; 0 if absent. Ranges here count from 0.
   */
  readonly start?: readonly number[];
  readonly dtype: DType;
  /** The dtype as the text spells it, for answers; the canonical name when the text does not. */
  readonly dtypeText: string;
  readonly role: TensorRole;
  /**
   * Names of the dims for display: identifiers of the operator that makes or first reads it; `?`
   * alone if the rank is unknown.
   */
  readonly dimNames: readonly string[];
  readonly shapeStatus: Status;
  /**
   * Whether the shape is unknown and `shape` has no meaning: an unknown operator, or one that reads
   * a tensor of unknown shape, computes the tensor. No figure may be derived from it.
   */
  readonly isUnknown?: true;
  /**
   * Whether a function of the program creates the tensor from numbers on demand, so it is no input.
   */
  readonly isMadeInside?: true;
  /** Whether a module holds it as long as the module lives, so that no reader is its last. */
  readonly isHeld?: true;
  /** Whether a parameter is frozen: a step derives no gradient for it and does not update it. */
  readonly isFrozen?: true;
  readonly producer?: OperatorId;
  /** The tensor whose memory this one takes over, for an update in place. */
  readonly replaces?: TensorId;
  /**
   * For a gradient: the tensor with respect to which the loss is differentiated, wholly or in part.
   */
  readonly gradientOf?: TensorId;
  /**
   * Parameter of which this tensor is a copy in another data type. Weights are sent and kept in
   * this type.
   */
  readonly castOf?: TensorId;
  /**
   * For a tensor that no operator of the graph makes: elements between neighbours along each dim;
   * row-major if absent.
   */
  readonly strides?: readonly number[];
  /** Place in the text that makes the tensor. */
  readonly span?: Span;
}

/** A library entry that runs at every index point of an operator. */
export interface PointKernel {
  readonly entry: string;
  /** For each parameter of the entry, the input of the operator that it takes. */
  readonly order: readonly number[];
}

/** The first tensor of unknown shape. If there is one, no figure of the whole program is known. */
export function unknownTensor({ tensors }: Pick<Graph, "tensors">): Tensor | undefined {
  return tensors.find(({ isUnknown }) => isUnknown);
}

/** One operator: an index space and a projection per operand (architecture.md §1). */
export interface Operator {
  readonly id: OperatorId;
  /** The name of its first output. */
  readonly name: string;
  /** The registered or library name, e.g. `MatMul`. */
  readonly op: string;
  /** The library entry that it runs by; absent for a function that the user registered. */
  readonly entry?: string;
  /**
   * The kernel that runs at every index point, on just the cells that the point touches. For
   * operators whose operands are windows or start at offsets, so that no library entry takes them
   * whole.
   */
  readonly points?: PointKernel;
  /** Arguments that are no tensors, by the name of their parameter. */
  readonly attributes: Attributes;
  /** The call as the user wrote it, e.g. `project(x, w1)`. */
  readonly call: string;
  /** Expanded and with sizes bound. */
  readonly annotation: OpAnno;
  readonly axes: readonly IndexAxis[];
  readonly inputs: readonly Operand[];
  readonly outputs: readonly Operand[];
  /** Groups of input positions in which the operator is linear together. */
  readonly linear: readonly (readonly number[])[];
  /**
   * How partial results combine if they do not add up: the largest of maxima, the least of minima.
   */
  readonly combine?: "max" | "min";
  /**
   * Axes over which the operator reduces internally; present if its body, not only its annotation,
   * determines the possible cuts. A cut of such an axis needs an additional reduction
   * (`stageOperators`).
   */
  readonly inner?: readonly string[];
  /** The body of an operator that computes a part of what its library entry computes. */
  readonly body?: Body;
  /** Whether data enters the program here (`in`) or leaves it (`out`). */
  readonly passage?: "in" | "out";
  /** Whether partial results are reduced inside the operator, before its result exists. */
  readonly reducesInside: boolean;
  /** Whether gradients stop here: at `detach`, and at operators under `no_grad`. */
  readonly endsGradient?: true;
  /** For an operator without a library entry: how gradients pass back through it. */
  readonly passesBack?: GradientDependence;
  /** The forward operator that a backward, recompute or update operator belongs to. */
  readonly of?: OperatorId;
  /**
   * The number of operators, this one included, that one kernel computes, as for all gradients of a
   * norm or of attention. 1 if absent.
   */
  readonly sharedBy?: number;
  /** Whether the operator belongs to a recomputed block, which keeps only its result. */
  readonly isCheckpointed?: true;
  /** Forward if absent. */
  readonly phase?: Phase;
  /**
   * The path from the model of the innermost module or function of the text that makes it:
   * `blocks[3].attn.qkv`; for a layer, the layer's own path. Absent outside of all.
   */
  readonly module?: string;
  readonly span?: Span;
}

/**
 * Operands that a gradient kernel reads in addition to the result's gradient, for an operator known
 * only by its shapes: all, or none if the operator only moves elements.
 */
export type GradientDependence = "reads-operands" | "moves-elements";

/** A program as data: tensors and operators in program order. */
export interface Graph {
  readonly tensors: readonly Tensor[];
  readonly operators: readonly Operator[];
  /** Results that no operator reads, in program order. */
  readonly outputs: readonly TensorId[];
}

/** Brands a text as the id of a tensor. */
export function tensorId(text: string): TensorId {
  return text as TensorId;
}

/** Brands a text as the id of an operator. */
export function operatorId(text: string): OperatorId {
  return text as OperatorId;
}

/** The tensors of a graph by their ids, in its order. */
export function tensorsById({ tensors }: Pick<Graph, "tensors">): ReadonlyMap<TensorId, Tensor> {
  return byTensorId(tensors);
}

const byTensorId = createById<TensorId, Tensor>();

/** The operators of a graph by their ids, in its order. */
export function operatorsById({
  operators,
}: Pick<Graph, "operators">): ReadonlyMap<OperatorId, Operator> {
  return byOperatorId(operators);
}

const byOperatorId = createById<OperatorId, Operator>();

/**
 * Test whether a name matches `target`, in which `*` matches any run of characters. Each piece
 * between stars is matched at its first possible position: if that fails, every other position
 * fails too.
 */
export function wildcardMatcher(target: string): (name: string) => boolean {
  if (!target.includes("*")) return (name) => target === name;
  const pieces = target.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  const inner = pieces.slice(1, -1).filter((piece) => piece !== "");
  const least = pieces.reduce((length, piece) => length + piece.length, 0);
  return (name) => {
    if (name.length < least || !name.startsWith(first) || !name.endsWith(last)) return false;
    let from = first.length;
    for (const piece of inner) {
      const at = name.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from <= name.length - last.length;
  };
}
