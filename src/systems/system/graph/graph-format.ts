import type { Platform } from "#core/cost/machines";
import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { Box } from "#core/indexspace";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { Document, GraphPlanContext } from "#language/document";
import type { TwoTexts } from "#language/texts";
import type { CompletionList, Hover } from "../explain/explain.ts";
import type { GraphDialect, GraphReading, ImportedGraph, OperandView } from "./imported-graph.ts";

/** A text format for graphs in JSON. The plan is a separate text in native statements. */
export interface GraphFormat {
  readonly words: GraphWords;
  /** Whether a text is a graph of this format, complete or still being typed. */
  readonly isOne: (text: string) => boolean;
  /** Reads a graph and its plan; nodes that cannot be read are left out with a diagnostic. */
  readonly read: (text: string, options: ReadGraphOptions) => GraphDocuments;
  /** Writes a program, or a graph of this format with its plan; absent where it is only read. */
  readonly write?: (planned: PlannedGraph, options: WriteGraphOptions) => WrittenGraph;
  /** Editor services for such a text; offsets in the plan are relative to the plan text. */
  readonly explains: (texts: TwoTexts, reading: GraphReading | undefined) => ExplainedGraph;
  /** The edits for a change; `undefined` when the text has no such node or selection. */
  readonly edit: (text: string, edit: GraphEdit) => readonly TextEdit[] | undefined;
  /** Dtypes that a plan allows in its graph; `undefined` when it does not restrict them. */
  readonly allowedDtypes: (plan: string) => readonly string[] | undefined;
  /** A fix of a fault in the graph by an edit of the plan, with offsets in the plan text. */
  readonly fixInPlan: (fault: Diagnostic, texts: TwoTexts) => Fix | undefined;
}

/** A change of a node, given by its id. */
export type GraphEdit =
  | {
      readonly kind: "set-range";
      readonly node: string;
      /** The node's selection. */
      readonly selection: Pick<OperandView, "side" | "name" | "position">;
      readonly range: Box;
    }
  | { readonly kind: "remove-node"; readonly node: string };

/** Names of a format, for screens that do not load its reader. */
export interface GraphWords {
  /** Name of one graph: `LoomGraph`. */
  readonly title: string;
  /** Name of the format as a target of `export`. */
  readonly target: string;
  /** Dtypes that the format's own tools accept, possibly fewer than are accepted here. */
  readonly ownDtypes: { readonly of: string; readonly names: readonly string[] };
}

/** Options for reading a graph. */
export interface ReadGraphOptions {
  readonly planText?: string;
  readonly platform?: Platform;
  /** Dtypes that its tensors may have; any when absent. */
  readonly dtypes?: readonly string[];
  /** Default: `app` if the text has shards. */
  readonly dialect?: GraphDialect;
  /** Reads the plan, with the modules of all systems. */
  readonly readPlan: (source: string, graph: Graph, beside: GraphPlanContext) => Document;
}

/** A graph and the plan beside it, read. */
export interface GraphDocuments {
  /** The plan over the graph: its `source` is the plan text. */
  readonly document: Document;
  /**
   * The document with the mesh of the graph's shards written into its plan text, and with `isWhole`
   * their cuts too; the same document when its text has them already.
   */
  readonly written: (isWhole: boolean) => Document;
  readonly imported: ImportedGraph;
  /** Diagnostics of the graph, without those of the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts of a compiled text that a format needs to write it. */
export interface PlannedGraph {
  readonly source: string;
  readonly planText?: string;
  readonly imported?: ImportedGraph;
  readonly mesh: { readonly mesh: DeviceMesh };
  readonly graph: Graph;
  readonly plan: Plan;
  /** The lowered program, including the operators of a training step. */
  readonly program: { readonly graph: Graph };
}

/** Options for writing a graph. */
export interface WriteGraphOptions {
  /** Default: `app` with the plan's shards if there are several devices. */
  readonly dialect?: GraphDialect;
  /**
   * `closed` leaves frozen and summed axes of annotated operators out of the index, `open` keeps
   * them. Default: `closed`, except where the plan cuts such an axis.
   */
  readonly form?: "closed" | "open";
}

/** A graph as text, with the plan beside it. */
export interface WrittenGraph {
  readonly text: string;
  /** Plan text of whole operations; empty with shards, or without a plan. */
  readonly planText: string;
  /** Diagnostics for parts that the format cannot express and that were changed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Editor services for a graph in JSON; offsets are relative to its text. */
export interface ExplainedGraph {
  readonly hover: (offset: number) => Hover | undefined;
  readonly complete: (offset: number) => CompletionList;
  readonly definition: (offset: number) => Span | undefined;
  /** Span of the node that a plan calls by this name. */
  readonly nodeNamed: (name: string) => Span | undefined;
  /** Why a node cannot be renamed like a variable. */
  readonly noRename: string;
}
