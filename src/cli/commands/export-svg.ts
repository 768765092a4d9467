import { canvasPicture, planTable, stepPictures } from "#app/scene";
import { encodeLink, svgMetadata } from "#app/share";
import type { Compiled } from "#compile";
import type { Arguments } from "./answer.ts";
import type { ExportedFile } from "./exported.ts";

/**
 * The canvas as `plan.svg`, the walk through the program as numbered files below `steps/`, each with
 * the plan inside, and the table of the plan. `theme` is `"light"` unless `"dark"` is asked for.
 */
export function exportSvg(
  compiled: Compiled,
  { theme }: Arguments,
): readonly ExportedFile[] | string {
  if (theme !== undefined && theme !== "light" && theme !== "dark") {
    return '"theme" must be "light" or "dark"';
  }
  const { source: text, planText: plan = "" } = compiled;
  const metadata = svgMetadata(encodeLink({ text, ...(plan !== "" && { plan }) }));
  const look = { theme: theme ?? "light", metadata } as const;
  const steps = stepPictures(compiled, look);
  return [
    { name: "plan.svg", text: canvasPicture(compiled, look) },
    ...steps.map(({ name, text }) => ({ name: `steps/${name}`, text })),
    { name: "plan.md", text: planTable(compiled) },
  ];
}
