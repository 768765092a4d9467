import type { Cost, Hardware, Memory, ModelFlops, RunRules } from "#core/cost";
import type { Platform } from "#core/cost/machines";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph, OperatorId, Status, TensorId } from "#core/ir";
import type { DeviceMesh, Layout } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { SpmdProgram, Value } from "#core/program";
import type { Schedule } from "#core/schedule";
import type { ProgramLines } from "#language/document";
import type { TextChoice } from "#language/document/trace";
import type { ReadModel, ReadModules } from "#systems";
import type { PolicyOutcome, PolicyStep } from "#systems/system";
import type { GraphDialect, ImportedGraph } from "#systems/system/graph";
import type { ComputedAgain } from "./recompute-budget.ts";
import type { Verdict } from "./verdicts.ts";

/**
 * An operator that reads a tensor, with the operand; `made` marks the operator that produces it.
 */
export interface Reader {
  readonly operator: OperatorId;
  readonly operand: number | "made";
}

/**
 * The layout in which an operator reads an input or parameter, or makes a result, if it differs
 * from the layout in which the tensor is stored or placed.
 */
export interface TensorRead extends Reader {
  /** Name of the operator, with the operand's number if it reads the tensor more than once. */
  readonly reader: string;
  readonly layout: Layout;
  /**
   * Boxes of each device, in the order of the layout's mesh, if they differ from the layout's
   * blocks.
   */
  readonly held?: Value["held"];
}

/** Layouts of a tensor, as the screen and `plan` show them. */
export interface TensorView {
  readonly tensor: TensorId;
  /**
   * The layout in which the operator leaves a result, or in which its first consumer holds an input
   * or parameter.
   */
  readonly layout: Layout;
  /** The stored layout of an input or parameter, if it differs from `layout`. */
  readonly atRest?: Layout;
  /** Layout of a result from the statement on that places it. */
  readonly placed?: Layout;
  /**
   * Readers with another layout. For an input or parameter: operators that do not read it in its
   * layout at rest, in program order. For a result placed by the text: its producer.
   */
  readonly reads?: readonly TensorRead[];
  /**
   * The entry of `reads` that is drawn instead of the first state; chosen by the viewer, not by the
   * plan.
   */
  readonly shown?: TensorRead;
  /**
   * Boxes of each device, in the order of the layout's mesh, if they differ from the layout's
   * blocks.
   */
  readonly held?: Value["held"];
  /** Attribute of the text that may make the blocks differ from the unsharded program's. */
  readonly unverified?: GivenBy;
  readonly status: Status;
  /** Span in the text that sets the layout. */
  readonly span?: Span;
}

/** The mesh of the document and its origin. */
export interface MeshView {
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  /** Span of each mesh axis's size, if the text states it; a resize edits it. */
  readonly sizeSpans: Readonly<Record<string, Span>>;
}

/** One plan of the planner's own front for an edge. */
export interface OwnPlan {
  /** All steps, those without communication included. */
  readonly steps: readonly PolicyStep[];
  /** Number of communicating steps; a text chooses this plan by it. */
  readonly sent: number;
  /** Bytes that the busiest device receives. */
  readonly bytes: number;
  readonly seconds: number;
  /** Whether these steps have the least modelled time, so that they are the default. */
  readonly isDefault: boolean;
}

/** The possible sequences of steps for one redistribution. */
export interface EdgeComparison {
  /** Bytes of the whole tensor. */
  readonly tensorBytes: number;
  /** The planner's own front, fewest steps first; empty if devices fetch windows. */
  readonly ours: readonly OwnPlan[];
  readonly outcomes: readonly PolicyOutcome[];
}

/** Options for parts that a program's text leaves open. */
export interface CompileOptions {
  readonly platform?: Platform;
  /** The system by whose rules the text is read, in place of the one it is written for. */
  readonly as?: string;
  /** Layouts in which results must end, as texts by result name. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Name of the cost model that evaluates the plan; absent for the program's own. */
  readonly model?: string;
  /** Plan text of a graph, in native statements; a program's text holds its plan. */
  readonly planText?: string;
  /** Dtypes that the tensors of a graph may have. */
  readonly dtypes?: readonly string[];
  /** Dialect of a graph; by default the one with shards if its text has any. */
  readonly dialect?: GraphDialect;
}

/** A system whose run of a whole program can be compared with the plan. */
export interface ProgramSystem {
  readonly name: string;
  /** The system's own name. */
  readonly title: string;
}

/** Everything derived from a text, as shown by app and command line. */
export interface Compiled {
  readonly source: string;
  /** Plan text of a graph; the spans of `mesh`, `plan` and `tensors` refer to it. */
  readonly planText?: string;
  /** The graph, when the text is a graph in a system's format instead of a program. */
  readonly imported?: ImportedGraph;
  /** The system in whose words all operators are written, if there is exactly one. */
  readonly system: ProgramSystem | undefined;
  /** Diagnostics of the text; those of a graph's plan text have `text: "plan"`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly mesh: MeshView;
  readonly hardware: Hardware;
  readonly hardwareStatus: Status;
  readonly graph: Graph;
  readonly plan: Plan;
  readonly program: SpmdProgram;
  readonly tensors: readonly TensorView[];
  /** Operators and tensors that a planner must not change; absent when nothing is pinned. */
  readonly pinned?: readonly (OperatorId | TensorId)[];
  /** Mesh axes whose sizes stay when other meshes are planned; absent when there are none. */
  readonly pinnedAxes?: readonly string[];
  readonly cost: Cost;
  /** Times of all steps; absent under a cost model, in which nothing overlaps. */
  readonly schedule?: Schedule;
  /** Rules by which the schedule is made; absent without a schedule. */
  readonly rules?: RunRules;
  readonly memory: Memory;
  /** The model's operations on all devices together, as utilisation counts them. */
  readonly modelFlops: ModelFlops;
  /** Operators that a step recomputes to stay within its memory budget; absent without a budget. */
  readonly again?: ComputedAgain;
  /** Entries that the text could run, one line each; absent if there is no choice. */
  readonly choices?: readonly TextChoice[];
  /** Modules bound to a name of the text, with their number of parameter elements, if known. */
  readonly modules?: ReadonlyMap<string, number | undefined>;
  /** The module of the text that computes all its operators, found on demand. */
  readonly textModel?: ReadModel;
  /** The text's modules by their own paths, found on demand; absent for a text without modules. */
  readonly textModules?: ReadModules;
  /** Values made by each line of the text; absent for a graph in a system's format. */
  readonly lines?: WrittenLines;
  /** Deviations of real systems by operator; absent if there are none. */
  readonly verdicts?: ReadonlyMap<OperatorId, readonly Verdict[]>;
}

/** Values made by each line of a text, and the lines that set the plan. */
export interface WrittenLines extends ProgramLines {
  /** Lines of the text that set strategies and layouts, with the operators and tensors affected. */
  readonly plan: readonly PlanLine[];
}

/** A call in the text that sets cuts of operators or layouts of tensors. */
export interface PlanLine {
  readonly span: Span;
  readonly operators: readonly OperatorId[];
  readonly tensors: readonly TensorId[];
}

/** Rule of an attribute by which an operator runs unverified, and its result. */
export interface GivenBy {
  readonly rule: string;
  readonly tensor: TensorId;
}
