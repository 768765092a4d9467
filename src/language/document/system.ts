import type { Diagnostic, Span } from "#core/diagnostics";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import type { ModuleClasses } from "./bindings/module-classes.ts";
import type { OpaqueOperators, Unread } from "./bindings/opaque-operators.ts";
import type { RegisteredOperators } from "./bindings/registered.ts";
import type { ArgumentForms, TensorAccess, TensorSystems } from "./bindings/tensor-calls.ts";
import type { TensorBindings } from "./bindings/tensors.ts";
import type { SystemPlans, SystemReading } from "./system-plans.ts";
import type { Recorder } from "./trace/recorder.ts";
import type { TracedTensor } from "./trace/traced.ts";
import type { LayoutSpec, WrittenLayout } from "./trace/written-layouts.ts";

/** A real system's part in reading a program; `systems/` has one value for each. */
export interface ReadingSystem {
  /** Name in texts, e.g. in `reshard(h, steps="…")`. */
  readonly name: string;
  /** Name on the page. */
  readonly title: string;
  /** Whether its host launches every operator by itself unless the program compiles. */
  readonly isEager?: true;
  /** Names that programs use for its modules without an import. */
  readonly usualNames?: Readonly<Record<string, UsualName>>;
  /**
   * Whether a text is written for the system. In such a text its annotations alone decide how
   * operators may be split, and functions unknown to its planner run whole; in others these are
   * only its verdict.
   */
  readonly isTextOf?: (source: string) => boolean;
  /** Whether the system's planner knows a function, by path; absent means all. */
  readonly knowsFunction?: (path: string) => boolean;
  /** Diagnostics for a text in another format of the system that was opened as a program. */
  readonly mistakes?: (source: string) => readonly Diagnostic[];
  /**
   * Packages of the system: first parts of module names, or a pattern for whole names. By default
   * its own name.
   */
  readonly packages?: readonly string[] | RegExp;
  /**
   * Modules of other packages for which the system has stand-ins; a definition of the text under an
   * imported name wins.
   */
  readonly standsIn?: RegExp;
  /**
   * Dotted path of its tensor class, whose methods all tensors have beside those of the operator
   * library.
   */
  readonly tensorClass?: string;
  /** Attribute of tensors that the system defines, whatever a program imports. */
  readonly tensorAttribute?: (access: TensorAccess, context: Context) => Value | undefined;
  /** Argument forms of its functions and tensor methods. */
  readonly argumentForms?: ArgumentForms;
  /** Error of its tensor methods for illegal arguments. */
  readonly refusesMethod?: TensorSystems["refused"];
  /** Dotted path of its parameter class. */
  readonly parameterClass?: string;
  /** Class that its modules derive from. */
  readonly moduleClass?: string;
  /** Paths of classes whose instances hold no parameters, such as optimizers and data sets. */
  readonly holdsNothing?: RegExp;
  /**
   * Reason why a function's results, by its path, have no known shape; `undefined` when they have
   * one.
   */
  readonly unread?: (path: string) => Unread | undefined;
  /**
   * Functions whose unknown results are assumed to be like their first tensor, with the diagnostic
   * code that reports it.
   */
  readonly guesses?: { readonly paths: RegExp; readonly code: DiagnosticCode };
  /** The system's modules in one run of a program; made when one of its names is first used. */
  readonly bind?: (parts: BindingParts) => SystemBindings;
  /** Whether a program without its modules concerns the system all the same; a cheap test. */
  readonly concerns?: (program: Pick<SystemReading, "trace" | "source">) => boolean;
  /** Requests of its own statements to the operators of a program. */
  readonly plans?: (reading: SystemReading) => SystemPlans;
  /** Present when the system has redistribution steps of its own, which a text can choose. */
  readonly reshards?: object;
}

/** Meaning of a name that a program uses without an import. */
export interface UsualName {
  readonly module: string;
  /** Name in that module; absent means the module itself. */
  readonly name?: string;
  /** Texts in which the name has this meaning; absent means all. */
  readonly where?: RegExp;
}

/** Objects from which a system's modules are built. */
export interface BindingParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly modules: ModuleClasses;
  readonly registered: RegisteredOperators;
  /** Whether the planner of the text's system knows a function, by path. */
  readonly knowsFunction: (path: string) => boolean;
  /** Bindings of another system by name; `undefined` before the program uses a module of it. */
  readonly boundAs: (system: string) => SystemBindings | undefined;
}

/** Modules of a system for one run of a program, and its treatment of tensors and values. */
export interface SystemBindings {
  /** A module by its dotted name. */
  readonly module: (name: string) => ModuleValue | undefined;
  /** Calls a tensor method by name, with the receiver first. */
  readonly callMethod?: (
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** Attribute of tensors in a text written for the system. */
  readonly tensorAttribute?: (access: TensorAccess, context: Context) => Value | undefined;
  /** `x[key]` in a text written for the system; `undefined` for the default. */
  readonly tensorItem?: (
    tensor: TracedTensor,
    self: Value,
    key: Value,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * Value of a name after `x[key] = value` in a text written for the system; `undefined` for the
   * default.
   */
  readonly tensorSetItem?: (
    tensor: TracedTensor,
    self: Value,
    set: readonly [key: Value, value: Value],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * Binary operator of a tensor and a list or tuple, on either side, in a text written for the
   * system; `undefined` for the default.
   */
  readonly tensorBesideList?: (
    operator: string,
    pair: readonly [Value, Value],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * Value of a name after `x += value` (with the computed `result`) in a text written for the
   * system; `undefined` when the tensor becomes the result under all of its names.
   */
  readonly tensorUpdate?: (
    self: Value,
    result: Value,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** Method of NumPy arrays; it is called with the array first. */
  readonly arrayMethod?: (name: string, context: Context) => Value | undefined;
  /** Values from unpacking a tensor into `count` names; `undefined` for the default. */
  readonly tensorParts?: (
    tensor: TracedTensor,
    self: Value,
    count: number,
    context: Context,
    span: Span,
  ) => readonly Value[] | undefined;
  /** Whether the system has a tensor method of that name. */
  readonly hasMethod?: (name: string) => boolean;
  /** A layout of the system's own kind. */
  readonly layoutOf?: (value: Value | undefined) => SystemLayout | undefined;
  /** Module inside a wrapper object, e.g. the net in `AutoParallel(net)`. */
  readonly inside?: (value: Value) => Value | undefined;
  /** Calls the modules that the system traces itself, before uncalled modules are drawn. */
  readonly beforeDrawing?: (context: Context, globals: ReadonlyMap<string, Value>) => void;
  /** Removes operators that are no part of the finished program; all its sizes are known. */
  readonly release?: (source: string) => void;
  /** Runs the policy functions of the text, which decide how its operators are split. */
  readonly runPolicies?: (
    globals: ReadonlyMap<string, Value>,
    setting: PolicyRun,
    context: Context,
  ) => void;
}

/** Parameters of a policy run. */
export interface PolicyRun {
  /** Whether all sizes are known; if not, a policy only tells what they must be divisible by. */
  readonly isExact: boolean;
  readonly devices: () => readonly number[];
}

/** Layout made by a system's own word. */
export interface SystemLayout {
  readonly spec: LayoutSpec;
  /** Dims of the layout, once it was called. */
  readonly written?: WrittenLayout;
  /** Whether the value is the result of calling a layout, not the layout itself. */
  readonly isResult: boolean;
}
