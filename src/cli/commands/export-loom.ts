import { type Compiled, exportLoom } from "#compile";
import type { Arguments } from "./answer.ts";
import type { Exported } from "./exported.ts";

/**
 * The program as `graph.json`; without shards with the plan beside it as `plan.txt`. `dialect` is
 * `"app"` where there are several devices unless said otherwise; `form` is that of annotated
 * operators, `"closed"` or `"open"`.
 */
export function exportLoomFiles(
  compiled: Compiled,
  { dialect, form }: Arguments,
): Exported | string {
  if (dialect !== undefined && dialect !== "op" && dialect !== "app") {
    return '"dialect" must be "op" or "app"';
  }
  if (form !== undefined && form !== "closed" && form !== "open") {
    return '"form" must be "closed" or "open"';
  }
  const { text, planText, diagnostics } = exportLoom(compiled, {
    ...(dialect !== undefined && { dialect }),
    ...(form !== undefined && { form }),
  });
  const plan = planText === "" ? [] : [{ name: "plan.txt", text: planText }];
  return { files: [{ name: "graph.json", text }, ...plan], diagnostics };
}
