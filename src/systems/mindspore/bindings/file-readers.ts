import { hostFunction } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/**
 * Functions of MindSpore that read files of other runs, with the severity of the report: "info" if
 * they yield only values of parameters.
 */
const readers: ReadonlyMap<string, "info" | "warning"> = new Map([
  ...["load_checkpoint", "load_checkpoint_async", "load_distributed_checkpoint"].map(
    (name) => [name, "info"] as const,
  ),
  ...["build_searched_strategy", "load", "merge_pipeline_strategys", "rank_list_for_transform"].map(
    (name) => [name, "warning"] as const,
  ),
  ...["load_segmented_checkpoints", "restore_group_info_list"].map(
    (name) => [name, "warning"] as const,
  ),
]);

/**
 * A function that reads a file; each call is reported, and its result is assumed, since the file is
 * not read here. `undefined` for other names.
 */
export function fileReader(name: string, assumed: (name: string) => Value): Value | undefined {
  const severity = readers.get(name);
  if (severity === undefined) return undefined;
  return hostFunction(name, (_, context, span) => {
    const message = `${name}() reads a file, which is not read here: what it gives is not known, and where there is no such file MindSpore raises an error`;
    context.report({ code: "document/unknown-value", severity, message, span });
    return assumed(`${name}()`);
  });
}
