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

/** What a real system brings to the reading of a program; `systems/` has one value for each. */
export interface ReadingSystem {
  /** As texts name it, e.g. in `reshard(h, steps="…")`. */
  readonly name: string;
  /** Its own name, as the page writes it. */
  readonly title: string;
  /** Whether its host launches every operator by itself unless a program compiles. */
  readonly isEager?: true;
  /** Names that mean its modules in programs without an import. */
  readonly usualNames?: Readonly<Record<string, UsualName>>;
  /**
   * The texts that are written for it: there its annotations alone say how operators may be cut, and
   * functions that its planner does not know run whole. Elsewhere that is only its verdict.
   */
  readonly isTextOf?: (source: string) => boolean;
  /** Whether the system's planner knows a function, by its path; all functions when unsaid. */
  readonly knowsFunction?: (path: string) => boolean;
  /** Diagnostics of a text that is meant for it in another format, but was opened as a program. */
  readonly mistakes?: (source: string) => readonly Diagnostic[];
  /**
   * Its packages, by the first part of module names, or a pattern for whole module names; by
   * default its own name.
   */
  readonly packages?: readonly string[] | RegExp;
  /**
   * Modules of other packages that it has its own readings of: what a text defines under a name
   * that it imports from one is meant instead.
   */
  readonly standsIn?: RegExp;
  /** The path of its class whose methods all tensors have, beside those of the operator library. */
  readonly tensorClass?: string;
  /** What tensors answer to by a name of its own, whatever a program imports. */
  readonly tensorAttribute?: (access: TensorAccess, context: Context) => Value | undefined;
  /** How its functions, and the methods of tensors, take their arguments. */
  readonly argumentForms?: ArgumentForms;
  /** Why a method of its tensors refuses its arguments. */
  readonly refusesMethod?: TensorSystems["refused"];
  /** The path of its class of parameters. */
  readonly parameterClass?: string;
  /** The class that its modules derive from. */
  readonly moduleClass?: string;
  /** Paths of classes whose objects hold no parameters: optimizers, data. */
  readonly holdsNothing?: RegExp;
  /**
   * Why the results of a function, by its path, have no known shape; `undefined` where they have
   * one.
   */
  readonly unread?: (path: string) => Unread | undefined;
  /** Functions of its own whose results, not known, are taken to be like their first tensor. */
  readonly guesses?: { readonly paths: RegExp; readonly code: DiagnosticCode };
  /**
   * The system's modules in one run of a program, made when one of their names is first asked for.
   */
  readonly bind?: (parts: BindingParts) => SystemBindings;
  /** Whether a program without its modules concerns it all the same; a cheap test. */
  readonly concerns?: (program: Pick<SystemReading, "trace" | "source">) => boolean;
  /** The requests of its own statements to the operators of a program. */
  readonly plans?: (reading: SystemReading) => SystemPlans;
  /** Present where it has redistribution steps of its own, which a text can choose. */
  readonly reshards?: object;
}

/** What a name means that a program uses without an import. */
export interface UsualName {
  readonly module: string;
  /** A name in that module; the module itself when absent. */
  readonly name?: string;
  /** The texts in which it means that; all when absent. */
  readonly where?: RegExp;
}

/** The objects that the modules of a system are built from. */
export interface BindingParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly modules: ModuleClasses;
  readonly registered: RegisteredOperators;
  /** Whether the planner of the system that the text is written for knows a function, by its path. */
  readonly knowsFunction: (path: string) => boolean;
  /** The bindings of another system, by its name, once the program has asked for a module of it. */
  readonly boundAs: (system: string) => SystemBindings | undefined;
}

/** The modules of a system for one run of a program, and the meaning of values of its own types. */
export interface SystemBindings {
  /** A module by its dotted name. */
  readonly module: (name: string) => ModuleValue | undefined;
  /** Calls a method of tensors by its name, the receiver first. */
  readonly callMethod?: (
    name: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** What tensors answer to by a name of its own in a text that is written for it. */
  readonly tensorAttribute?: (access: TensorAccess, context: Context) => Value | undefined;
  /** What `x[key]` is in a text that is written for it; `undefined` where that is as elsewhere. */
  readonly tensorItem?: (
    tensor: TracedTensor,
    self: Value,
    key: Value,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * The value that a name has after `x[key] = value` in a text written for the system; `undefined`
   * for the usual one.
   */
  readonly tensorSetItem?: (
    tensor: TracedTensor,
    self: Value,
    set: readonly [key: Value, value: Value],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * `x op value` of a tensor and a list or a tuple, on either side, in a text that is written for it;
   * `undefined` where that is as elsewhere.
   */
  readonly tensorBesideList?: (
    operator: string,
    pair: readonly [Value, Value],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * The value that a name has after `x += value`, which made `result`, in a text written for the
   * system; `undefined` where the tensor becomes the result under all of its names.
   */
  readonly tensorUpdate?: (
    self: Value,
    result: Value,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** A method of arrays of NumPy, which is called with the array first. */
  readonly arrayMethod?: (name: string, context: Context) => Value | undefined;
  /** What unpacking a tensor into so many names gives; `undefined` where that is as elsewhere. */
  readonly tensorParts?: (
    tensor: TracedTensor,
    self: Value,
    count: number,
    context: Context,
    span: Span,
  ) => readonly Value[] | undefined;
  /** Whether it has a method of tensors of that name. */
  readonly hasMethod?: (name: string) => boolean;
  /** A layout of the system's own kind. */
  readonly layoutOf?: (value: Value | undefined) => SystemLayout | undefined;
  /** The module inside a wrapper, e.g. the net in `AutoParallel(net)`. */
  readonly inside?: (value: Value) => Value | undefined;
  /**
   * Calls the modules that the system traces by itself, before modules that nothing calls are
   * drawn.
   */
  readonly beforeDrawing?: (context: Context, globals: ReadonlyMap<string, Value>) => void;
  /** Takes out of a program that has ended what is no part of it; all its sizes are known. */
  readonly release?: (source: string) => void;
  /** Runs the functions of the text that decide how its operators are split. */
  readonly runPolicies?: (
    globals: ReadonlyMap<string, Value>,
    setting: PolicyRun,
    context: Context,
  ) => void;
}

/** What policies run with. */
export interface PolicyRun {
  /** Whether all sizes are known; if not, a policy only says what they must be divisible by. */
  readonly isExact: boolean;
  readonly devices: () => readonly number[];
}

/** A layout as a system's own word makes it. */
export interface SystemLayout {
  readonly spec: LayoutSpec;
  /** Its dims, once it was called. */
  readonly written?: WrittenLayout;
  /** Whether it is what a call gave, and not the layout that was called. */
  readonly isResult: boolean;
}
