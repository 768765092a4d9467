import { graphFormatOf, graphFormats } from "#systems";
import type { GraphFormat, WriteGraphOptions, WrittenGraph } from "#systems/system/graph";
import type { Compiled } from "./compiled.ts";

/**
 * A compiled text as a graph: of a program its operations, and the pieces of its plan as shards. A
 * graph leaves in its own format, as it came in but for what its plan says otherwise; where that is
 * only read, it leaves as a program does.
 *
 * @param format of programs; the first that is known when unsaid
 */
export function exportGraph(
  compiled: Compiled,
  options: WriteGraphOptions = {},
  format: GraphFormat | undefined = graphFormats.find(({ write }) => write !== undefined),
): WrittenGraph {
  const { imported, ...program } = compiled;
  const own = imported === undefined ? undefined : graphFormatOf(compiled.source);
  if (own?.write !== undefined) return own.write(compiled, options);
  if (format?.write === undefined) throw new Error("no system has a format of graphs");
  return format.write(program, options);
}
