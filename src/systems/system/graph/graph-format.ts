import type { Platform } from "#core/cost/machines";
import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { Box } from "#core/indexspace";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { BesidePlan, Document } from "#language/document";
import type { TwoTexts } from "#language/texts";
import type { CompletionList, Hover } from "../explain/explain.ts";
import type { GraphDialect, GraphReading, ImportedGraph, OperandView } from "./imported-graph.ts";

/**
 * A format of texts that are graphs in JSON, not programs. The plan stands beside such a text, in
 * native statements.
 */
export interface GraphFormat {
  readonly words: GraphWords;
  /** Whether a text is a graph of this format, complete or still being typed. */
  readonly isOne: (text: string) => boolean;
  /** Reads a graph and its plan; nodes that cannot be read are left out with a diagnostic. */
  readonly read: (text: string, options: ReadGraphOptions) => GraphDocuments;
  /** Writes a program, or a graph of this format with its plan; absent where it is only read. */
  readonly write?: (planned: PlannedGraph, options: WriteGraphOptions) => WrittenGraph;
  /** The language service of such a text; offsets in the plan count in the plan. */
  readonly explains: (texts: TwoTexts, reading: GraphReading | undefined) => ExplainedGraph;
  /** The edits of a change; `undefined` where the text has no such node or selection. */
  readonly edit: (text: string, edit: GraphEdit) => readonly TextEdit[] | undefined;
  /** The dtypes that a plan allows in its graph; `undefined` where it does not restrict them. */
  readonly allowedDtypes: (plan: string) => readonly string[] | undefined;
  /** A fix of a fault of the graph by an edit of the plan; its offsets count in the plan. */
  readonly fixInPlan: (fault: Diagnostic, texts: TwoTexts) => Fix | undefined;
}

/** A change of a node of a graph, which its id names. */
export type GraphEdit =
  | {
      readonly kind: "set-range";
      readonly node: string;
      /** Which of the selections of the node. */
      readonly selection: Pick<OperandView, "side" | "name" | "position">;
      readonly range: Box;
    }
  | { readonly kind: "remove-node"; readonly node: string };

/** Names of a format, for screens that do not load its reader. */
export interface GraphWords {
  /** The name of one graph: `LoomGraph`. */
  readonly title: string;
  /** The name of the format as a target of `export`. */
  readonly target: string;
  /** The dtypes that its own tools accept, which may be fewer than ours. */
  readonly ownDtypes: { readonly of: string; readonly names: readonly string[] };
}

/** Options for reading a graph. */
export interface ReadGraphOptions {
  readonly planText?: string;
  readonly platform?: Platform;
  /** The dtypes that its tensors may have; any when absent. */
  readonly dtypes?: readonly string[];
  /** By default `app` if the text has shards. */
  readonly dialect?: GraphDialect;
  /** Reads the plan, with the modules of all systems. */
  readonly readPlan: (source: string, graph: Graph, beside: BesidePlan) => Document;
}

/** A graph and the plan beside it, read. */
export interface GraphDocuments {
  /** The plan over the graph: its `source` is the plan text. */
  readonly document: Document;
  /**
   * The document with the mesh of the graph's shards written into its plan text, and with `isWhole`
   * their cuts too; the same document where its text has them already.
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
  /** The program that runs, with the operators of a training step. */
  readonly program: { readonly graph: Graph };
}

/** Options for writing a graph. */
export interface WriteGraphOptions {
  /** By default `app`, with the shards of the plan, where there are several devices. */
  readonly dialect?: GraphDialect;
  /**
   * `closed` leaves frozen and summed axes of annotated operators out of the index, `open` keeps
   * them; by default they are left out, except where the plan cuts one.
   */
  readonly form?: "closed" | "open";
}

/** A graph as text, with the plan beside it. */
export interface WrittenGraph {
  readonly text: string;
  /** The plan of whole operations; empty with shards, or without a plan. */
  readonly planText: string;
  /** What the format cannot express and was changed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The language service of a graph in JSON; offsets count in its text. */
export interface ExplainedGraph {
  readonly hover: (offset: number) => Hover | undefined;
  readonly complete: (offset: number) => CompletionList;
  readonly definition: (offset: number) => Span | undefined;
  /** The node that a plan names so. */
  readonly nodeNamed: (name: string) => Span | undefined;
  /** Why a node cannot be renamed as a variable is. */
  readonly noRename: string;
}
