import { type Compiled, exportGraph } from "#compile";
import type { GraphFormat } from "#systems/system/graph";
import type { Arguments } from "./answer.ts";
import type { Exported } from "./exported.ts";

/**
 * The program as `graph.json`; without shards, the plan is in `plan.txt` beside it. `dialect`
 * defaults to `"app"` with several devices; `form` is `"closed"` or `"open"`, for annotated
 * operators.
 */
export function exportGraphFiles(
  compiled: Compiled,
  { dialect, form }: Arguments,
  format: GraphFormat,
): Exported | string {
  if (dialect !== undefined && dialect !== "op" && dialect !== "app") {
    return '"dialect" must be "op" or "app"';
  }
  if (form !== undefined && form !== "closed" && form !== "open") {
    return '"form" must be "closed" or "open"';
  }
  const { text, planText, diagnostics } = exportGraph(
    compiled,
    { ...(dialect !== undefined && { dialect }), ...(form !== undefined && { form }) },
    format,
  );
  const plan = planText === "" ? [] : [{ name: "plan.txt", text: planText }];
  return { files: [{ name: "graph.json", text }, ...plan], diagnostics };
}
