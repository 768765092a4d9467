import type { Attributes } from "./attributes.ts";
import type { Body } from "./body/body.ts";
import type { BoundCall, CallShapes } from "./call.ts";
import type { SaveRule } from "./storages/entry-keeps.ts";
import type { TypeRule } from "./types/result-types.ts";

/**
 * An operand of a gradient step: an input or output of the operator, the gradient of an output, or
 * the result of an earlier step.
 */
export interface GradientOperand {
  readonly from: "input" | "output" | "gradient" | "step";
  readonly index: number;
}

/**
 * One step of a gradient: a library operator by name, with its operands in order.
 *
 * A step with an `annotation` keeps the identifiers of the forward operator; else its own entry
 * annotates it.
 */
export interface GradientStep {
  readonly op: string;
  readonly operands: readonly GradientOperand[];
  readonly attributes: Attributes;
  readonly annotation?: string;
  /**
   * Whether one kernel makes the gradients of the other operands too, by steps with the same
   * fields.
   */
  readonly isOneKernel?: true;
}

/**
 * The gradient of one operand: the result of the last step. Without steps no gradient flows there.
 */
export type Gradient = readonly GradientStep[];

/**
 * How an operator passes a gradient back, as one operator `<name>_backward` per operand.
 *
 * It reads the gradient of the first output (operand 0), all inputs (from 1 on) and, where
 * `readsOutput`, the first output (last). The attribute `operand` names the target.
 */
export interface Backward {
  readonly targets: readonly number[];
  readonly readsOutput?: boolean;
  /**
   * Whether the axes that the forward operator combines stay whole, since every element is compared
   * with all.
   */
  readonly looksAtAll?: boolean;
  /** Whether one kernel makes the gradients of all targets. */
  readonly isOneKernel?: boolean;
  readonly body: (forward: BoundCall, target: number) => Body;
}

/**
 * The values that an operand takes: integers `0 … below − 1` (without a bound the call does not
 * read the operand), numbers above 0, from 0 to 1, −1 and 1, or 0 and 1.
 */
export type Domain =
  | { readonly kind: "index"; readonly below: (call: BoundCall) => number | undefined }
  | { readonly kind: "positive" }
  | { readonly kind: "fraction" }
  | { readonly kind: "sign" }
  | { readonly kind: "flag" };

/** A size for a sample call: the same for the same name, a multiple of the given number. */
export type SizeOf = (name: string, multipleOf?: number) => number;

/** One operator of the library. */
export interface LibraryEntry {
  readonly name: string;
  /** Other names by which programs call it. */
  readonly aliases: readonly string[];
  /**
   * Names of the parameters, tensors first; `tensors` counts the tensors, `required` those that a
   * call needs.
   */
  readonly parameters: readonly string[];
  readonly tensors: number;
  readonly required: number;
  /** A parameter that is no tensor but is written first, e.g. the equation of `einsum`. */
  readonly leading?: string;
  /** A parameter that may be written as several integers in a row, e.g. a shape. */
  readonly gathers?: string;
  /** Whether the first parameter is a list of tensors. */
  readonly variadic: boolean;
  /** Tensor parameters that also take a plain number, as `y` in `add(x, 2)`. */
  readonly mayBeNumbers?: readonly string[];
  /** The annotation for a call; dimops.md §2.1 for broadcasting. */
  readonly annotate: (call: CallShapes) => string;
  readonly body: (call: BoundCall) => Body;
  /** The gradients by input position. */
  readonly gradient: (call: BoundCall) => readonly Gradient[];
  /**
   * The memory that autograd keeps for the backward pass; by default the tensors that the gradient
   * reads.
   */
  readonly keeps?: SaveRule;
  /**
   * Whether the result is stored in the memory of its summed terms, which are as many as the
   * elements of operand 0.
   */
  readonly liesInTerms?: true;
  /** The library operator that computes the gradients, where the backward pass has a kernel of its own. */
  readonly backward?: Backward;
  /**
   * Groups of operands in which the operator is linear together; a call may leave members of one
   * out.
   */
  readonly linear: readonly (readonly number[])[];
  /** How partial results over `+` axes combine if they do not add up. */
  readonly combine?: "max" | "min";
  /**
   * Whether each result is a sum over the axes that it lacks, of terms that need one index of each;
   * frozen axes count too, so a mean adds up: its parts divide by the rows of the whole. Axes over
   * which tables of its body combine are excepted.
   */
  readonly addsUp?: boolean;
  /** The values of the operands, by input position. */
  readonly domains: readonly (Domain | undefined)[];
  /** Rules for the dtypes of the results; the last rule applies to all further results. */
  readonly types: readonly TypeRule[];
  /** A call of the operator, for the listing and for tests on random sizes. */
  readonly sample: (size: SizeOf) => CallShapes;
}

type SaidByAll = "name" | "parameters" | "annotate" | "body" | "sample";

/** The definition of an entry: the required fields, and others that have defaults. */
export interface EntrySpec
  extends Pick<LibraryEntry, SaidByAll>,
    Partial<Omit<LibraryEntry, SaidByAll | "gradient">> {
  /**
   * Gradient of the entry: `derived` from the body, which must be a map and a sum, or `none` if it
   * has no derivative.
   */
  readonly gradient: "derived" | "none" | LibraryEntry["gradient"] | Backward;
}
