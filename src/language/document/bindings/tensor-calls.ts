import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import type { Argument, Context, HostObject, Value } from "#language/python";
import type { Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { PrimitiveCall, ShardStrategy } from "../trace/written-layouts.ts";
import type { Assumed } from "./assumed.ts";
import type { ExpertWords } from "./expert-words.ts";
import type { ValueTypes } from "./types/value-types.ts";

/** How a system names a library operator and what it adds to a call. */
export interface CallStyle {
  readonly op: string;
  readonly reducesInside: boolean;
  readonly isReplicated?: boolean;
  /** The dotted path of the function that is called. */
  readonly path?: string;
  /** How results without a variable are called; after the entry when unsaid. */
  readonly stem?: string;
  readonly strategy?: ShardStrategy;
  readonly primitive?: PrimitiveCall;
}

/** Calls of library operators on tensors, as methods and operators need them. */
export interface TensorCalls {
  readonly systems: TensorSystems;
  /** Loops over experts, and the tokens of each. */
  readonly experts: ExpertWords;
  /** What the program has recorded so far. */
  readonly trace: Trace;
  /** The data types of what the program makes. */
  readonly types: ValueTypes;
  /** Numbers that the text draws evenly between 0 and 1 when it runs. */
  readonly draws: WeakSet<TracedTensor>;
  object(tensor: TracedTensor): HostObject;
  tensorOf(value: Value | undefined): TracedTensor | undefined;
  readonly rankOf: RankOf;
  /** Whether a value is an array of NumPy: a tensor that keeps the forms of NumPy's own methods. */
  isArray(value: Value): boolean;
  /** A tensor as the array of NumPy that shares its elements, also in a row; anything else as it is. */
  asArray(value: Value): Value;
  /** An array as the tensor that shares its elements; anything else as it is. */
  asTensor(value: Value): Value;
  /** Gives the object of a tensor the value that an operator in place has made. */
  replace(self: HostObject, value: Value): void;
  /** Notes that other elements were written into a tensor than those that it was made of. */
  noteWritten(value: Value | undefined): void;
  /** What is written into a tensor is unknown: its shape stays. */
  changeUnknown(value: Value, span: Span, context: Context): void;
  /** Takes note of what operators in place change from now on, or no longer. */
  noteChanges(isOn: boolean): void;
  /** Takes back what they have changed since. */
  undoChanges(): readonly HostObject[];
  /** The one element of a tensor as a number of Python: `x.item()`, `int(x)`. */
  scalar(self: HostObject): HostObject;
  isScalar(value: Value): boolean;
  /** Whether the body of a function is traced, where an operator in place changes the tensor. */
  readonly isInBody: boolean;
  /** What a tensor holds, where that stands in the text. */
  elementsOf(tensor: TracedTensor | undefined): readonly number[] | undefined;
  /** Whether gradients of what is computed now are wanted. */
  readonly followsGradients: boolean;
  /** Whether the text has called `backward()`: from then on tensors have a `grad`. */
  readonly hasRunBackward: boolean;
  /** Takes note of a call of `backward()`. */
  noteBackward(self: HostObject, span: Span): void;
  /** Says once of something assumed that what follows from it is unknown. */
  sayUnsaid(assumed: Assumed, context: Context, span: Span): void;
  /** Samples that a text which trains cuts out of its data. */
  dataRow(
    self: HostObject,
    keys: readonly Value[],
    context: Context,
    span: Span,
  ): HostObject | undefined;
  /** The gradient that `backward()` leaves at a tensor: to the graph another input of its shape. */
  gradientOf(self: HostObject, context: Context, span: Span): Value;
  /** Whether a tensor is a parameter: in-place operations on a parameter are its initialisation. */
  isParameter(self: HostObject): boolean;
  /** An attribute that the text has set on a tensor. */
  extra(self: HostObject, name: string): Value | undefined;
  setExtra(self: HostObject, name: string, value: Value): boolean;
  /** The copy that `copy.deepcopy` makes. */
  copyOf(value: Value, context: Context, span: Span): Value;
  /** Calls a method of tensors that the library does not have. */
  function(name: string, operands: readonly Value[], context: Context, span: Span): Value;
  /**
   * Draws an operator that is known only by its shapes, in the form of an annotation.
   *
   * @param results `known` where the shapes of results do not depend on those of the operands
   */
  shaped(
    name: string,
    annotation: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    results?: "known",
  ): Value;
  /** An operator that gives tensors of which nobody knows the shape, one when unsaid. */
  unknownResult(
    name: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    count?: number,
  ): Value;
  /** Ends the tracing of a function's body that does what cannot be run. */
  refuse(reason: string, context: Context, span: Span): void;
  /** `refuse` for what leaves shapes certain: it does nothing while only the shapes of a body are wanted. */
  refuseNumbers(reason: string, context: Context, span: Span): void;
  call(
    entry: LibraryEntry,
    style: CallStyle,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value;
}

/** A name behind a tensor and a dot. */
export interface TensorAccess {
  readonly words: TensorCalls;
  readonly self: HostObject;
  readonly tensor: TracedTensor;
  readonly name: string;
  readonly span: Span;
}

/** How functions and methods take arguments that the entries of the library take otherwise. */
export interface ArgumentForms {
  /** The names by which a function takes its arguments, where they are known. */
  readonly keywordsOf: (name: string) => readonly string[] | undefined;
  /** The arguments of a call of the text under the system's own names, where it takes others too. */
  readonly usualNames: (
    name: string,
    how: "function" | "method",
    args: readonly Argument[],
  ) => readonly Argument[];
  /**
   * The arguments of a call as the library's entry takes them, by name; those that it does not take
   * have a name of their own, which begins with `_`.
   */
  readonly asEntryTakesThem: (
    name: string,
    entry: LibraryEntry,
    args: readonly Argument[],
  ) => readonly Argument[];
  /** The argument that the library does not have, if the call gives one that matters. */
  readonly unreadArgument: (extra: readonly Argument[]) => string | undefined;
  /** What a function gives, with the names that its several results have. */
  readonly named: (name: string, result: Value) => Value;
}

/** The rank of a value that is a tensor, as far as it is known; `undefined` of anything else. */
export type RankOf = (value: Value) => number | "unknown" | undefined;

/** What tensors have of the systems. */
export interface TensorSystems {
  /** An attribute or a method of tensors that is a system's. */
  attribute(access: TensorAccess, context: Context): Value | undefined;
  readonly argumentForms: ArgumentForms;
  /** `x[key]` by the rules of the system that the text is written for. */
  item(
    tensor: TracedTensor,
    self: Value,
    key: Value,
    context: Context,
    span: Span,
  ): Value | undefined;
  /**
   * `x[key] = value` by those rules: what the name holds afterwards; `undefined` where the tensor
   * becomes another one for all of its names.
   */
  setItem(
    tensor: TracedTensor,
    self: Value,
    set: readonly [key: Value, value: Value],
    context: Context,
    span: Span,
  ): Value | undefined;
  /** `x op value` of a tensor and a list or a tuple by those rules. */
  besideList(
    operator: string,
    pair: readonly [Value, Value],
    context: Context,
    span: Span,
  ): Value | undefined;
  /**
   * `x += value` by those rules, which made `result`: what the name holds afterwards; `undefined` where
   * the tensor becomes the result for all of its names.
   */
  update(self: Value, result: Value, context: Context, span: Span): Value | undefined;
  /** What unpacking a tensor into so many names gives, by the rules of that system. */
  parts(
    tensor: TracedTensor,
    self: Value,
    count: number,
    context: Context,
    span: Span,
  ): readonly Value[] | undefined;
  /** What a method of tensors raises for its arguments, the receiver not among them, and why. */
  refused(
    name: string,
    args: readonly Argument[],
    words: TensorCalls,
    self: Value | undefined,
  ): readonly [kind: string, message: string] | undefined;
  /** Runs something to which tensors are no tensors of the system that the text is written for. */
  apart<T>(run: () => T): T;
  /** A method of arrays of NumPy, which is called with the array first. */
  arrayMethod(name: string, context: Context): Value | undefined;
  /** Calls a method of tensors that the library does not have, the receiver first. */
  call(name: string, args: readonly Argument[], context: Context, span: Span): Value;
  /** Whether one of the systems has a method of that name. */
  hasMethod(name: string): boolean;
  /** A member of a tensor that nobody knows: a method, or a value. */
  unknownMember(self: Value, name: string): Value;
}
