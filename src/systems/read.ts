import type { Platform } from "#core/cost";
import type { Graph } from "#core/ir";
import {
  type BesidePlan,
  createDocumentReader as createReader,
  type Document,
  programHost as hostOf,
  readDocument as read,
  readPlan as readBeside,
} from "#language/document";
import type { Host } from "#language/python";
import { systems } from "./systems.ts";

/** `readDocument` of `language/document` with every system. */
export function readDocument(source: string, platform?: Platform): Document {
  return read(source, systems, platform);
}

/** `createDocumentReader` of `language/document` with every system. */
export function createDocumentReader(): (source: string) => Document {
  return createReader(systems);
}

/** `readPlan` of `language/document` with every system. */
export function readPlan(source: string, graph: Graph, beside: BesidePlan = {}): Document {
  return readBeside(source, graph, beside, systems);
}

/** `programHost` of `language/document` with every system. */
export function programHost(): Host {
  return hostOf(systems);
}
