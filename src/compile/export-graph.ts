import { graphFormatOf, graphFormats } from "#systems";
import type { GraphFormat, WriteGraphOptions, WrittenGraph } from "#systems/system/graph";
import type { Compiled } from "./compiled.ts";

/**
 * Exports a compiled text as a graph. A program becomes its operations, with its plan as shards. A
 * graph keeps its own format and changes only in its plan; if that format cannot be written, it is
 * exported like a program.
 *
 * @param format for programs; default: the first that can be written
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
