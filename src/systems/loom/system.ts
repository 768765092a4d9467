import type { Diagnostic } from "#core/diagnostics";
import type { System } from "#systems/system";
import { defaultDtypes } from "./dtypes.ts";
import { editLoom } from "./edit-loom.ts";
import { allowDtype, allowedDtypes, wrongDtype } from "./explain/allowed-dtypes.ts";
import { explainedGraph } from "./explain/explained-graph.ts";
import { exportLoom } from "./export/export-loom.ts";
import { readDocuments } from "./plan/read-documents.ts";
import { loomWords } from "./texts/index.ts";

/** First characters of a text that is, or was meant as, a graph in JSON. */
const beginsObject = /^[\s\ufeff]*\{/;
const beginsList = /^[\s\ufeff]*\[\s*(?:\{|\])/;

/** Loom: graphs in JSON, whose Operations select ranges of Tensors and have Applications as shards. */
export const loom: System = {
  name: "loom",
  title: "Loom",
  mistakes: (source) => (beginsList.test(source) ? listOfNodes(source) : []),
  graphs: {
    words: loomWords,
    isOne: (text) => beginsObject.test(text),
    read: readDocuments,
    write: exportLoom,
    explains: explainedGraph,
    edit: editLoom,
    allowedDtypes: (plan) => allowedDtypes(plan)?.names,
    fixInPlan: (fault, { json, plan }) => {
      const dtype = wrongDtype(fault, json);
      return dtype === undefined ? undefined : allowDtype(plan, dtype, defaultDtypes);
    },
  },
};

/**
 * Diagnostic for a JSON list of objects, or an empty list, which was meant as a graph: read as a
 * program it would do nothing, silently.
 */
function listOfNodes(source: string): readonly Diagnostic[] {
  if (!isListOfObjects(source)) return [];
  const message = 'a LoomGraph is an object, {"id": …, "nodes": […]}, not a list';
  const span = { from: source.indexOf("["), to: source.trimEnd().length };
  const edits = [
    { from: span.from, to: span.from, text: '{"nodes": ' },
    { from: span.to, to: span.to, text: "}" },
  ];
  const fixes = [{ title: "Make the list the nodes of a graph", edits }];
  return [{ code: "loom/not-an-object", severity: "error", message, span, fixes }];
}

function isListOfObjects(source: string): boolean {
  try {
    const value: unknown = JSON.parse(source.replace(/^\ufeff/, ""));
    return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
  } catch {
    return false;
  }
}
