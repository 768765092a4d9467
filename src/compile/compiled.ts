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
 * An operator that reads a tensor, with the operand; `made` stands for the operator that makes the
 * tensor.
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
  /** The operator's name; with the operand's number if it reads the tensor more than once. */
  readonly reader: string;
  readonly layout: Layout;
  /**
   * The boxes of each device, in the order of the layout's mesh, if they are not the layout's
   * blocks.
   */
  readonly held?: Value["held"];
}

/** The layouts of a tensor, as the screen and `plan` show them. */
export interface TensorView {
  readonly tensor: TensorId;
  /**
   * The layout in which the operator leaves a result, or in which its first consumer holds an input
   * or parameter.
   */
  readonly layout: Layout;
  /** The stored layout of an input or parameter, if it differs from `layout`. */
  readonly atRest?: Layout;
  /** The layout of a result from the place where the text sets it. */
  readonly placed?: Layout;
  /**
   * Readers whose layout differs. For an input or parameter: the operators that read it in another
   * layout than at rest, in program order. For a result that the text places elsewhere: its
   * producer.
   */
  readonly reads?: readonly TensorRead[];
  /**
   * The entry of `reads` that is drawn in place of the first state; a choice of the viewer, not of
   * the plan.
   */
  readonly shown?: TensorRead;
  /**
   * The boxes of each device, in the order of the layout's mesh, if they are not the layout's
   * blocks.
   */
  readonly held?: Value["held"];
  /**
   * The attribute of the text because of which the blocks may differ from the unsharded program's.
   */
  readonly unverified?: GivenBy;
  readonly status: Status;
  /** Place in the text that sets the layout. */
  readonly span?: Span;
}

/** The mesh of the document and its origin. */
export interface MeshView {
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  /**
   * For each mesh axis, the place of its size in the text, if it stands there: a resize edits it.
   */
  readonly sizeSpans: Readonly<Record<string, Span>>;
}

/** One plan of our own front on an edge. */
export interface OwnPlan {
  /** All steps, those without communication included. */
  readonly steps: readonly PolicyStep[];
  /** The number of communicating steps: the word by which a text chooses this plan. */
  readonly sent: number;
  /** Bytes that the busiest device receives. */
  readonly bytes: number;
  readonly seconds: number;
  /**
   * Whether these steps have the least modelled time: the redistribution takes them unless the text
   * chooses others.
   */
  readonly isDefault: boolean;
}

/** The possible sequences of steps for one redistribution. */
export interface EdgeComparison {
  /** Bytes of the whole tensor. */
  readonly tensorBytes: number;
  /** Our front, fewest steps first; empty if devices fetch windows. */
  readonly ours: readonly OwnPlan[];
  readonly outcomes: readonly PolicyOutcome[];
}

/** Options for everything that the text of a program leaves open. */
export interface CompileOptions {
  readonly platform?: Platform;
  /** The system by whose rules the text is read, whatever system it is written for. */
  readonly as?: string;
  /** The layouts in which results must end, as texts by the name of the result. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** The name of a cost model under which the plan is evaluated; the product's own when absent. */
  readonly model?: string;
  /** The plan beside a graph, in the native words; programs carry theirs in their own text. */
  readonly planText?: string;
  /** The data types that the tensors of a graph may have. */
  readonly dtypes?: readonly string[];
  /** The dialect of a graph; when unsaid, with shards if its text has any. */
  readonly dialect?: GraphDialect;
}

/** A system whose whole run of a program can be shown beside ours. */
export interface ProgramSystem {
  readonly name: string;
  /** The system's own name. */
  readonly title: string;
}

/** Everything that follows from a text: what app and command line show. */
export interface Compiled {
  readonly source: string;
  /** The plan text beside a graph; the spans of `mesh`, `plan` and `tensors` refer to it. */
  readonly planText?: string;
  /** The graph, when the text is a graph in a system's format instead of a program. */
  readonly imported?: ImportedGraph;
  /** The one system in whose words all operators are written, if there is one. */
  readonly system: ProgramSystem | undefined;
  /** Diagnostics of the text; those of the plan beside a graph have `text: "plan"`. */
  readonly diagnostics: readonly Diagnostic[];
  readonly mesh: MeshView;
  readonly hardware: Hardware;
  readonly hardwareStatus: Status;
  readonly graph: Graph;
  readonly plan: Plan;
  readonly program: SpmdProgram;
  readonly tensors: readonly TensorView[];
  /** Operators and tensors that a planner leaves as they are; absent where nothing is pinned. */
  readonly pinned?: readonly (OperatorId | TensorId)[];
  /** Axes of the mesh that keep their lengths where other meshes are planned; absent if none does. */
  readonly pinnedAxes?: readonly string[];
  readonly cost: Cost;
  /** The times of all steps; absent under a cost model, in which nothing overlaps. */
  readonly schedule?: Schedule;
  /** The rules by which the schedule is made; absent without a schedule. */
  readonly rules?: RunRules;
  readonly memory: Memory;
  /** Operations of the model on all devices together, as utilisation counts them. */
  readonly modelFlops: ModelFlops;
  /**
   * The operators that a step recomputes to stay within its memory budget; absent without a budget.
   */
  readonly again?: ComputedAgain;
  /** The entries that the text could run, one line each; absent if there is nothing to choose. */
  readonly choices?: readonly TextChoice[];
  /**
   * Modules that a name of the text holds, with the elements of their parameters, if all are known.
   */
  readonly modules?: ReadonlyMap<string, number | undefined>;
  /** The module of the text that computes all its operators, found on demand. */
  readonly textModel?: ReadModel;
  /** The text's modules by their own paths, found on demand; absent for a text without modules. */
  readonly textModules?: ReadModules;
  /** The values that each line of the text made; absent for a graph in a system's format. */
  readonly lines?: WrittenLines;
  /** For each operator, the deviations of real systems; absent if there are none. */
  readonly verdicts?: ReadonlyMap<OperatorId, readonly Verdict[]>;
}

/** The values that each line of a text made, and the lines that set the plan. */
export interface WrittenLines extends ProgramLines {
  /**
   * The lines of the text that set strategies and layouts, with the operators and tensors that
   * follow each.
   */
  readonly plan: readonly PlanLine[];
}

/** A call in the text that sets cuts of operators or layouts of tensors. */
export interface PlanLine {
  readonly span: Span;
  readonly operators: readonly OperatorId[];
  readonly tensors: readonly TensorId[];
}

/** The rule of an attribute that lets an operator run as the text says, and its result. */
export interface GivenBy {
  readonly rule: string;
  readonly tensor: TensorId;
}
