import { graphFormatOf, graphFormats } from "#systems";
import type { GraphFormat, WriteGraphOptions, WrittenGraph } from "#systems/system/graph";
import type { Compiled } from "./compiled.ts";

/**
 * A compiled text as a graph: of a program its operations, and the pieces of its plan as shards. A
 * graph leaves in its own format, as it came in but for what its plan says otherwise.
 *
 * @param format of programs; the first that is known when unsaid
 */
export function exportGraph(
  compiled: Compiled,
  options: WriteGraphOptions = {},
  format: GraphFormat | undefined = graphFormats[0],
): WrittenGraph {
  const own = compiled.imported === undefined ? format : graphFormatOf(compiled.source);
  if (own === undefined) throw new Error("no system has a format of graphs");
  return own.write(compiled, options);
}
