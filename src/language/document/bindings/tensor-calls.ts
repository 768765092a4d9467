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
  /** Dotted path of the called function. */
  readonly path?: string;
  /** Name stem of results without a variable; the entry's name when absent. */
  readonly stem?: string;
  readonly strategy?: ShardStrategy;
  readonly primitive?: PrimitiveCall;
}

/** Calls of library operators on tensors, as tensor methods and Python operators need them. */
export interface TensorCalls {
  readonly systems: TensorSystems;
  /** Loops over experts, and the tokens of each expert. */
  readonly experts: ExpertWords;
  /** Everything the program recorded so far. */
  readonly trace: Trace;
  /** Data type rules of the running program. */
  readonly types: ValueTypes;
  /** Tensors of uniform random numbers in [0, 1). */
  readonly draws: WeakSet<TracedTensor>;
  object(tensor: TracedTensor): HostObject;
  tensorOf(value: Value | undefined): TracedTensor | undefined;
  readonly rankOf: RankOf;
  /** Whether a value is a NumPy array: a tensor with NumPy's own methods. */
  isArray(value: Value): boolean;
  /**
   * The NumPy array that shares a tensor's elements, also for each item of a row; other values
   * unchanged.
   */
  asArray(value: Value): Value;
  /** The tensor that shares a NumPy array's elements; other values unchanged. */
  asTensor(value: Value): Value;
  /** Rebinds a tensor object to the result of an in-place operator. */
  replace(self: HostObject, value: Value): void;
  /** Notes that a tensor's elements were overwritten. */
  noteWritten(value: Value | undefined): void;
  /** Makes the elements of a tensor unknown after a write; its shape stays. */
  changeUnknown(value: Value, span: Span, context: Context): void;
  /** Starts or stops noting in-place changes. */
  noteChanges(isOn: boolean): void;
  /** Reverts the noted in-place changes and returns the changed objects. */
  undoChanges(): readonly HostObject[];
  /** Element of a one-element tensor as a Python number: `x.item()`, `int(x)`. */
  scalar(self: HostObject): HostObject;
  isScalar(value: Value): boolean;
  /** Whether a function's body is being traced, where in-place operators change the tensor. */
  readonly isInBody: boolean;
  /** Elements of a tensor whose values the text gives; otherwise `undefined`. */
  elementsOf(tensor: TracedTensor | undefined): readonly number[] | undefined;
  /** Whether gradients are recorded for the current computation (no `no_grad`). */
  readonly followsGradients: boolean;
  /** Whether the text has called `backward()`; from then on tensors have a `grad`. */
  readonly hasRunBackward: boolean;
  /** Notes a call of `backward()`. */
  noteBackward(self: HostObject, span: Span): void;
  /** Reports, once per assumed value, that what follows from it is unknown. */
  sayUnsaid(assumed: Assumed, context: Context, span: Span): void;
  /** Data samples that a training text slices out of its data; `undefined` for other slices. */
  dataRow(
    self: HostObject,
    keys: readonly Value[],
    context: Context,
    span: Span,
  ): HostObject | undefined;
  /**
   * Gradient that `backward()` leaves on a tensor: in the graph another input of the same shape.
   */
  gradientOf(self: HostObject, context: Context, span: Span): Value;
  /** Whether a tensor is a parameter: in-place operations on a parameter are its initialisation. */
  isParameter(self: HostObject): boolean;
  /** Attribute that the text set on a tensor. */
  extra(self: HostObject, name: string): Value | undefined;
  setExtra(self: HostObject, name: string, value: Value): boolean;
  /** Copy for `copy.deepcopy`. */
  copyOf(value: Value, context: Context, span: Span): Value;
  /** Calls a tensor method that has no library entry. */
  function(name: string, operands: readonly Value[], context: Context, span: Span): Value;
  /**
   * Records an operator that is known only by its shapes, as an annotation.
   *
   * @param results `known` when the shapes of results do not depend on those of the operands
   */
  shaped(
    name: string,
    annotation: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    results?: "known",
  ): Value;
  /** Records an operator with `count` results (default 1) of unknown shape. */
  unknownResult(
    name: string,
    operands: readonly Value[],
    context: Context,
    span: Span,
    count?: number,
  ): Value;
  /** Stops the tracing of a function's body that cannot be run. */
  refuse(reason: string, context: Context, span: Span): void;
  /**
   * `refuse` for code that leaves shapes certain: no effect while only the shapes of a body are
   * wanted.
   */
  refuseNumbers(reason: string, context: Context, span: Span): void;
  call(
    entry: LibraryEntry,
    style: CallStyle,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value;
}

/** Attribute access on a tensor. */
export interface TensorAccess {
  readonly words: TensorCalls;
  readonly self: HostObject;
  readonly tensor: TracedTensor;
  readonly name: string;
  readonly span: Span;
}

/** Translation of call arguments into the form that library entries take. */
export interface ArgumentForms {
  /** Keyword parameters of a function; `undefined` when not known. */
  readonly keywordsOf: (name: string) => readonly string[] | undefined;
  /**
   * Arguments of a call renamed to the system's own parameter names, where aliases are accepted.
   */
  readonly usualNames: (
    name: string,
    how: "function" | "method",
    args: readonly Argument[],
  ) => readonly Argument[];
  /**
   * Arguments of a call by the parameter names of the library entry; arguments it does not take get
   * names that begin with `_`.
   */
  readonly asEntryTakesThem: (
    name: string,
    entry: LibraryEntry,
    args: readonly Argument[],
  ) => readonly Argument[];
  /**
   * Name of an argument that the library does not support and that matters; `undefined` without
   * one.
   */
  readonly unreadArgument: (extra: readonly Argument[]) => string | undefined;
  /** Result of a function with several named results, as a named tuple. */
  readonly named: (name: string, result: Value) => Value;
}

/** Rank of a tensor value, "unknown" for an open rank; `undefined` for other values. */
export type RankOf = (value: Value) => number | "unknown" | undefined;

/** Tensor behaviour that depends on the systems in use. */
export interface TensorSystems {
  /** Attribute or method of tensors that a system defines. */
  attribute(access: TensorAccess, context: Context): Value | undefined;
  readonly argumentForms: ArgumentForms;
  /** `x[key]` by the rules of the text's system; `undefined` for the default. */
  item(
    tensor: TracedTensor,
    self: Value,
    key: Value,
    context: Context,
    span: Span,
  ): Value | undefined;
  /**
   * `x[key] = value` by those rules: the value of the name afterwards; `undefined` when the tensor
   * changes for all of its names.
   */
  setItem(
    tensor: TracedTensor,
    self: Value,
    set: readonly [key: Value, value: Value],
    context: Context,
    span: Span,
  ): Value | undefined;
  /** Binary operator of a tensor and a list or tuple by those rules. */
  besideList(
    operator: string,
    pair: readonly [Value, Value],
    context: Context,
    span: Span,
  ): Value | undefined;
  /**
   * `x += value` by those rules, where `result` was computed: the value of the name afterwards;
   * `undefined` when the tensor becomes the result for all of its names.
   */
  update(self: Value, result: Value, context: Context, span: Span): Value | undefined;
  /** Values from unpacking a tensor into `count` names, by those rules. */
  parts(
    tensor: TracedTensor,
    self: Value,
    count: number,
    context: Context,
    span: Span,
  ): readonly Value[] | undefined;
  /**
   * Error that a tensor method raises for its arguments (without the receiver); `undefined` when
   * legal.
   */
  refused(
    name: string,
    args: readonly Argument[],
    words: TensorCalls,
    self: Value | undefined,
  ): readonly [kind: string, message: string] | undefined;
  /** Runs code for which tensors do not follow the text's system. */
  apart<T>(run: () => T): T;
  /** Method of NumPy arrays; it is called with the array first. */
  arrayMethod(name: string, context: Context): Value | undefined;
  /** Calls a tensor method that has no library entry, with the receiver first. */
  call(name: string, args: readonly Argument[], context: Context, span: Span): Value;
  /** Whether one of the systems has a tensor method of that name. */
  hasMethod(name: string): boolean;
  /** Unknown attribute of a tensor: a method or a value. */
  unknownMember(self: Value, name: string): Value;
}
