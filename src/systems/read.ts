import type { Platform } from "#core/cost/machines";
import type { Graph } from "#core/ir";
import {
  createDocumentReader as createReader,
  type Document,
  type GraphPlanContext,
  programHost as hostOf,
  readDocument as read,
  readPlan as readBeside,
} from "#language/document";
import type { Host } from "#language/python";
import type { GraphDocuments, GraphFormat, ReadGraphOptions } from "#systems/system/graph";
import { systems } from "./systems.ts";

/** `readDocument` of `language/document` with every system. */
export function readDocument(source: string, platform?: Platform, as?: string): Document {
  return read(source, systems, platform, as);
}

/** `createDocumentReader` of `language/document` with every system. */
export function createDocumentReader(): (source: string) => Document {
  return createReader(systems);
}

/** `readPlan` of `language/document` with every system. */
export function readPlan(source: string, graph: Graph, beside: GraphPlanContext = {}): Document {
  return readBeside(source, graph, beside, systems);
}

/** `programHost` of `language/document` with every system. */
export function programHost(): Host {
  return hostOf(systems);
}

/** Graph formats of all systems. */
export const graphFormats: readonly GraphFormat[] = systems.flatMap(({ graphs }) => graphs ?? []);

/** The format of a graph's text; `undefined` for a program. */
export function graphFormatOf(text: string): GraphFormat | undefined {
  return graphFormats.find(({ isOne }) => isOne(text));
}

/** Reads a graph and the plan beside it; `undefined` for a program. */
export function readGraph(
  text: string,
  options: Omit<ReadGraphOptions, "readPlan">,
): GraphDocuments | undefined {
  return graphFormatOf(text)?.read(text, { ...options, readPlan });
}
