import type { GraphDocuments, GraphFormat, ReadGraphOptions } from "#systems/system";
import { readPlan } from "./read.ts";
import { systems } from "./systems.ts";

/** The formats of graphs that some system has. */
export const graphFormats: readonly GraphFormat[] = systems.flatMap(({ graphs }) => graphs ?? []);

/** The format of a text that is a graph; nothing of a program. */
export function graphFormatOf(text: string): GraphFormat | undefined {
  return graphFormats.find(({ isOne }) => isOne(text));
}

/** Reads a graph and the plan beside it; nothing of a program. */
export function readGraph(
  text: string,
  options: Omit<ReadGraphOptions, "readPlan">,
): GraphDocuments | undefined {
  return graphFormatOf(text)?.read(text, { ...options, readPlan });
}
