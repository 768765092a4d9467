import type { System } from "#systems/system";
import { defaultDtypes } from "./dtypes.ts";
import { editLoom } from "./edit-loom.ts";
import { allowDtype, allowedDtypes, wrongDtype } from "./explain/dtypes.ts";
import { explainedGraph } from "./explain/explained-graph.ts";
import { exportLoom } from "./export/export-loom.ts";
import { listOfNodes } from "./list-of-nodes.ts";
import { readDocuments } from "./plan/read-documents.ts";
import { loomWords } from "./texts/index.ts";

/** How a text begins that is a graph in JSON, or was meant for one. */
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
