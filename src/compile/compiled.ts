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

/** Which operand of which operator reads a tensor; of a result, the operator that made it so. */
export interface Reader {
  readonly operator: OperatorId;
  readonly operand: number | "made";
}

/**
 * How an operator holds an input or parameter, where that is not how it lies at rest; how it makes
 * a result that the text places otherwise.
 */
export interface TensorRead extends Reader {
  /** The operator's name; with the operand where it reads the tensor more than once. */
  readonly reader: string;
  readonly layout: Layout;
  /**
   * The slices that devices hold, in the order of the layout's mesh, where these differ from the
   * layout's blocks.
   */
  readonly held?: Value["held"];
}

/** How a tensor lies, as the screen and `plan` show it. */
export interface TensorView {
  readonly tensor: TensorId;
  /** As its operator leaves it; an input or parameter as its first consumer holds it. */
  readonly layout: Layout;
  /** Of an input or parameter, where that differs from `layout`. */
  readonly atRest?: Layout;
  /** Of a result that the text places: where it lies from then on. */
  readonly placed?: Layout;
  /**
   * Readers whose layout differs: of an input or parameter the operators that read it in another
   * layout than at rest, in program order; of a result that the text places elsewhere, its
   * producer.
   */
  readonly reads?: readonly TensorRead[];
  /** The one of `reads` that is drawn in place of the first state; nothing of the plan says so. */
  readonly shown?: TensorRead;
  /** What each device holds, in the order of the layout's mesh, where that is not its block. */
  readonly held?: Value["held"];
  /** Where its blocks may differ from the unsharded program's: as an attribute of the text gives. */
  readonly unverified?: GivenBy;
  readonly status: Status;
  /** Where the text says so. */
  readonly span?: Span;
}

/** The mesh of the document and where it came from. */
export interface MeshView {
  readonly mesh: DeviceMesh;
  readonly status: Status;
  readonly span?: Span;
  /** Where each axis' size stands in the text, when it does: the edit of a resize. */
  readonly sizeSpans: Readonly<Record<string, Span>>;
}

/** One plan of our own front on an edge. */
export interface OwnPlan {
  /** All of them, those that send nothing too. */
  readonly steps: readonly PolicyStep[];
  /** How many of them communicate: the word by which it is chosen. */
  readonly sent: number;
  /** Received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
  /** It takes the least modelled time: what a redistribution does unless the text chooses. */
  readonly isDefault: boolean;
}

/** The sequences of steps that there are for one redistribution. */
export interface EdgeComparison {
  /** Bytes of the whole tensor. */
  readonly tensorBytes: number;
  /** Our front, fewest steps first; none where devices fetch windows. */
  readonly ours: readonly OwnPlan[];
  readonly outcomes: readonly PolicyOutcome[];
}

/** What a program is compiled for, where its text does not say. */
export interface CompileOptions {
  readonly platform?: Platform;
  /** The system by whose rules the text is read, whoever it is written for. */
  readonly as?: string;
  /** Layout texts by the name of a result: how it has to end. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** The name of a cost model under which the plan is evaluated; the product's own when absent. */
  readonly model?: string;
  /** The plan beside a graph, in the native words; programs carry theirs in their own text. */
  readonly planText?: string;
  /** The data types that the tensors of a graph may have. */
  readonly dtypes?: readonly string[];
  /** Of a graph; by default with shards if there are any in its text. */
  readonly dialect?: GraphDialect;
}

/** A system whose whole run of a program can be shown beside ours. */
export interface ProgramSystem {
  readonly name: string;
  /** As it calls itself. */
  readonly title: string;
}

/** Everything that follows from a text: what app and command line show. */
export interface Compiled {
  readonly source: string;
  /** The plan text beside a graph; the spans of `mesh`, `plan` and `tensors` refer to it. */
  readonly planText?: string;
  /** The graph, when the text is a graph in a system's format instead of a program. */
  readonly imported?: ImportedGraph;
  /** The one system in whose words all operators are written, where there is one. */
  readonly system: ProgramSystem | undefined;
  /** Those of the plan beside a graph have `text: "plan"`. */
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
  /** When each step runs; absent under a cost model, in which nothing runs beside anything. */
  readonly schedule?: Schedule;
  /** By which rules the schedule is made; absent without one. */
  readonly rules?: RunRules;
  readonly memory: Memory;
  /** What the model asks of all devices together, as utilisation counts it. */
  readonly modelFlops: ModelFlops;
  /** What a step computes again to hold its budget of memory; absent where it has none. */
  readonly again?: ComputedAgain;
  /** What the text could run, one line each; absent where there is nothing to choose. */
  readonly choices?: readonly TextChoice[];
  /** Modules that a name of the text holds, with the elements of their parameters where all are known. */
  readonly modules?: ReadonlyMap<string, number | undefined>;
  /** The one module of the text that computes all its operators, when it is asked for. */
  readonly textModel?: ReadModel;
  /** Its modules by their own paths, when they are asked for; absent of a text without any. */
  readonly textModules?: ReadModules;
  /** What the lines of the text made; absent of a graph in the format of a system. */
  readonly lines?: WrittenLines;
  /** By operator: what real systems would do differently; absent where none would. */
  readonly verdicts?: ReadonlyMap<OperatorId, readonly Verdict[]>;
}

/** What the lines of a text made, and which of them say how it is split. */
export interface WrittenLines extends ProgramLines {
  /**
   * The lines of the text that set strategies and layouts, with the operators and tensors that
   * follow each.
   */
  readonly plan: readonly PlanLine[];
}

/** A call in the text that says how operators are cut or tensors lie. */
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
