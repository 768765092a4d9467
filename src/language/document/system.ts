import type { Diagnostic, Span, TextEdit } from "#core/diagnostics";
import type { OperatorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { OperatorPlan, Requests } from "#core/plan";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import type { ModuleClasses } from "./bindings/module-classes.ts";
import type { OpaqueOperators, Unread } from "./bindings/opaque-operators.ts";
import type { RegisteredOperators } from "./bindings/registered.ts";
import type { ArgumentForms, TensorAccess, TensorSystems } from "./bindings/tensor-calls.ts";
import type { TensorBindings } from "./bindings/tensors.ts";
import type { BuiltGraph } from "./graph/build-graph.ts";
import type { WrittenMatrix } from "./graph/document-mesh.ts";
import type { AxisLists } from "./trace/axes-text.ts";
import type { Recorder } from "./trace/recorder.ts";
import type { StrategyCall, Trace } from "./trace/trace.ts";
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
  /** Whether its planner knows a function of a module, by its path; all of them when unsaid. */
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
  /** By their paths, what its programs make that holds no parameters: optimizers, data. */
  readonly holdsNothing?: RegExp;
  /**
   * Why the results of a function, by its path, have no known shape; `undefined` where they have
   * one.
   */
  readonly unread?: (path: string) => Unread | undefined;
  /** Functions of its own whose results, not known, are taken to be like their first tensor. */
  readonly guesses?: { readonly paths: RegExp; readonly code: DiagnosticCode };
  /** Its modules in one run of a program, made when a name of one is first asked for. */
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
   * What a name holds behind `x[key] = value` in a text that is written for it; `undefined` where
   * that is as elsewhere.
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
   * What a name holds behind `x += value`, which made `result`, in a text that is written for it;
   * `undefined` where the tensor becomes the result for all of its names.
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
  /** Whether all sizes are known; else a policy only tells what they must be divisible by. */
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

/** What a system reads the plans of a program from. */
export interface SystemReading {
  readonly trace: Trace;
  readonly built: BuiltGraph;
  readonly source: string;
  readonly boundNames: ReadonlySet<string>;
}

/** What a system's own statements in a program request, before the mesh is known. */
export interface SystemPlans {
  /** The device matrices that the mesh has to hold, in program order. */
  readonly matrices: readonly WrittenMatrix[];
  readonly diagnostics: readonly Diagnostic[];
  readonly on: (mesh: DeviceMesh) => PlacedPlans;
}

/** What a system's own statements request on the mesh of the document. */
export interface PlacedPlans {
  readonly plans: ReadonlyMap<OperatorId, OperatorPlan>;
  readonly placements: Requests["placements"];
  /** What readers have of parameters that rest in smaller pieces. */
  readonly held?: Requests["held"];
  /** Parameters that are gathered again for the backward pass, and those that are not. */
  readonly gatheredAgain?: Requests["gatheredAgain"];
  readonly keptGathered?: Requests["keptGathered"];
  readonly diagnostics: readonly Diagnostic[];
  /** Diagnostics that depend on which operators have a `strategy(…)` of their own. */
  readonly notesBeside?: (set: ReadonlyMap<OperatorId, StrategyCall>) => readonly Diagnostic[];
  /** What the system does differently in a training step. */
  readonly trainingNotes?: readonly Diagnostic[];
  /** What concerns the text as a whole. */
  readonly closingNotes?: readonly Diagnostic[];
}

/** A plan to write into a text in the notation of a system. */
export interface PlanWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** The strategy of every operator of the plan, as axes per identifier. */
  readonly planned: ReadonlyMap<OperatorId, AxisLists>;
  /** The operators whose strategies the text does not have yet. */
  readonly wanted: ReadonlySet<OperatorId>;
}

/** How tensors are to lie, to write into a text in the notation of a system. */
export interface PlaceWriting extends SystemReading {
  readonly mesh: DeviceMesh;
  /** The names of tensors that are to lie alike. */
  readonly tensors: readonly string[];
  /** Axes per dim, outermost first. */
  readonly wanted: readonly (readonly string[])[];
}

/**
 * What a system can write of a plan. Each edit is a trial: the text is read again to see its
 * effect.
 */
export interface OwnWords {
  readonly passages: readonly OwnPassage[];
  /** Why the system cannot write the strategy of an operator, for operators in no passage. */
  readonly unsaid: ReadonlyMap<OperatorId, string>;
}

/**
 * One passage of the text that determines how some operators are split, with several ways to edit
 * it.
 */
export interface OwnPassage {
  readonly operators: readonly OperatorId[];
  /** Whether it replaces all that the text says in the system's notation. */
  readonly isWhole?: true;
  /** The shortest first. */
  readonly manners: readonly OwnManner[];
}

/**
 * One way to edit a passage. Edits that several passages need are in each of them, and made once.
 */
export interface OwnManner {
  readonly edits: readonly TextEdit[];
}

/** The requests of all systems together; for one operator the last counts. */
export function plansOf(
  systems: readonly ReadingSystem[],
  reading: SystemReading,
): Omit<SystemPlans, "on"> & { readonly on: (mesh: DeviceMesh) => Required<PlacedPlans> } {
  const each = systems.flatMap(({ plans }) => plans?.(reading) ?? []);
  return {
    matrices: each.flatMap(({ matrices }) => matrices),
    diagnostics: each.flatMap(({ diagnostics }) => diagnostics),
    on: (mesh) => {
      const placed = each.map(({ on }) => on(mesh));
      return {
        plans: new Map(placed.flatMap(({ plans }) => [...plans])),
        placements: new Map(placed.flatMap(({ placements }) => [...placements])),
        held: new Map(placed.flatMap(({ held = new Map() }) => [...held])),
        gatheredAgain: new Set(
          placed.flatMap(({ gatheredAgain = new Set() }) => [...gatheredAgain]),
        ),
        keptGathered: new Set(placed.flatMap(({ keptGathered = new Set() }) => [...keptGathered])),
        diagnostics: placed.flatMap(({ diagnostics }) => diagnostics),
        notesBeside: (set) => placed.flatMap(({ notesBeside }) => notesBeside?.(set) ?? []),
        trainingNotes: placed.flatMap(({ trainingNotes = [] }) => trainingNotes),
        closingNotes: placed.flatMap(({ closingNotes = [] }) => closingNotes),
      };
    },
  };
}
