import { applyEdits, type Diagnostic } from "#core/diagnostics";
import type { Graph, OperatorId } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import {
  cutsText,
  newMeshEdits,
  quoted,
  writtenAxes,
  writtenMeshOf,
} from "#language/document/edit";
import type { GraphDocuments, GraphReading, ReadGraphOptions } from "#systems/system/graph";
import { loomWords } from "../texts/index.ts";
import {
  type CutOperation,
  isCutAlike,
  plansOn,
  type ReadApplications,
  readApplications,
} from "./applications.ts";

/** Plan of a LoomGraph: its plan text, and its Applications for everything the text leaves open. */
export interface PlanBeside {
  readonly document: Document;
  /** Diagnostics of the Applications; those of the plan text belong to the document. */
  readonly diagnostics: readonly Diagnostic[];
  readonly written: GraphDocuments["written"];
}

/**
 * Reads the plan text beside a graph. An operation that the text does not name is cut as its
 * Applications are; a text without a mesh gets the mesh that holds them all.
 */
export function readPlanBeside(
  graph: Graph,
  reading: GraphReading,
  { planText = "", platform, readPlan }: ReadGraphOptions,
): PlanBeside {
  const applications = readApplications(reading, graph);
  const { mesh } = applications;
  const ids = new Map(
    reading.nodes.flatMap(({ id, tensor, operator, kind }) => {
      const name = kind === "Operation" ? operator : tensor;
      return name === undefined ? [] : [[id as string, name as string] as const];
    }),
  );
  const read = (text: string): Merged => {
    const own = readPlan(text, graph, {
      title: `a ${loomWords.title}`,
      ids,
      ...(platform !== undefined && { platform }),
      ...(mesh !== undefined && { mesh }),
    });
    const merged = merge(own, applications);
    return { ...merged, document: { ...merged.document, reread: (next) => read(next).document } };
  };
  const { document, unheld, differing } = read(planText);
  return {
    document,
    diagnostics: [
      ...applications.diagnostics,
      ...(unheld.length > 0 ? [notHeld(unheld)] : []),
      ...(differing.length > 0 ? [otherwise(differing)] : []),
    ],
    written: (isWhole) => writtenDocument(document, applications, isWhole),
  };
}

interface Merged {
  readonly document: Document;
  /** Operations whose Applications do not fit the mesh of the text. */
  readonly unheld: readonly CutOperation[];
  /** Operations that the text cuts differently from their Applications. */
  readonly differing: readonly CutOperation[];
}

function merge(own: Document, { cut }: ReadApplications): Merged {
  const { mesh } = own.mesh;
  const plans = plansOn(mesh, cut);
  const operators = new Map<OperatorId, OperatorPlan>(own.requests.operators);
  const [unheld, differing]: [CutOperation[], CutOperation[]] = [[], []];
  for (const [at, each] of cut.entries()) {
    const { id } = each.operator;
    const asked = own.requests.operators.get(id);
    const plan = plans[at];
    if (asked !== undefined) {
      if (!isCutAlike(each.operation, each.operator, asked)) differing.push(each);
    } else if (plan === undefined) unheld.push(each);
    else operators.set(id, plan);
  }
  const document = { ...own, requests: { ...own.requests, operators } };
  return { document, unheld, differing };
}

function writtenDocument(
  document: Document,
  { cut, mesh }: ReadApplications,
  isWhole: boolean,
): Document {
  if (mesh === undefined || writtenMeshOf(document) !== undefined) return document;
  const { axes } = document.mesh.mesh;
  const [edit] = newMeshEdits(document, { axes, keepsDevices: false });
  const edits = edit === undefined ? [] : [edit];
  const lines = isWhole ? strategyLines(document, cut) : "";
  return document.reread(`${applyEdits(document.source, edits)}${lines}`);
}

/** Cuts of operations that the text does not name, as lines to append to it. */
function strategyLines(
  { requests, strategyCalls }: Document,
  cut: readonly CutOperation[],
): string {
  const lines = cut.flatMap(({ operator, operation }) => {
    const strategy = requests.operators.get(operator.id)?.strategy;
    if (strategyCalls.has(operator.id) || strategy === undefined || strategy.sizes) return [];
    const cuts = operation.axes.flatMap((name) => {
      const parts = fieldOf(strategy.cuts, name) ?? [];
      const text = writtenAxes(parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : [])));
      return text === undefined ? [] : [{ name, text }];
    });
    return cuts.length === 0 ? [] : [`strategy(${quoted(operator.name)}, ${cutsText(cuts)})\n`];
  });
  return lines.join("");
}

function notHeld(cut: readonly CutOperation[]): Diagnostic {
  return {
    code: "loom/applications-unheld",
    severity: "info",
    message: `the mesh of the plan does not hold the Applications of ${named(cut)}, which are drawn as the rest of the plan has them`,
    text: "plan",
  };
}

function otherwise(cut: readonly CutOperation[]): Diagnostic {
  return {
    code: "loom/applications-otherwise",
    severity: "info",
    message: `the plan cuts ${named(cut)} otherwise than the Applications in the graph: the plan is drawn, and saved with shards it replaces them`,
    text: "plan",
  };
}

/** `"a" and "b"`, `"a", "b" and 3 others`. */
function named(cut: readonly CutOperation[]): string {
  const names = cut.map(({ operator }) => quoted(operator.name));
  if (names.length === 1) return names.join("");
  const shown = names.slice(0, names.length > 4 ? 3 : names.length);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(", ")} and ${rest} others`;
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
