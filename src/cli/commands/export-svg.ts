import { planPicture, stepPictures } from "#app/scene/svg";
import { planMarkdown } from "#app/scene/text";
import { encodeLink, svgMetadata } from "#app/share";
import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import type { Arguments } from "./answer.ts";
import type { Exported } from "./exported.ts";

/** Most steps times devices of a walk that is drawn: more exceeds the time of a request. */
const mostDrawn = 32_768;

/**
 * The canvas as `plan.svg`, a walk through the program as numbered files in `steps/`, each with the
 * plan embedded, and the plan's table. `theme` is `"light"` (default) or `"dark"`.
 */
export function exportSvg(compiled: Compiled, { theme }: Arguments): Exported | string {
  if (theme !== undefined && theme !== "light" && theme !== "dark") {
    return '"theme" must be "light" or "dark"';
  }
  const { source: text, planText: plan = "" } = compiled;
  const metadata = svgMetadata(encodeLink({ text, ...(plan !== "" && { plan }) }));
  const look = { theme: theme ?? "light", metadata } as const;
  const [stepCount, devices] = [
    flatSteps(compiled.program).length,
    compiled.program.devices.length,
  ];
  const isDrawn = stepCount * devices <= mostDrawn;
  const steps = isDrawn ? stepPictures(compiled, look) : [];
  const files = [
    { name: "plan.svg", text: planPicture(compiled, look) },
    ...steps.map(({ name, text }) => ({ name: `steps/${name}`, text })),
    { name: "plan.md", text: planMarkdown(compiled) },
  ];
  return { files, diagnostics: isDrawn ? [] : [notDrawn(stepCount, devices)] };
}

function notDrawn(steps: number, devices: number): Diagnostic {
  return {
    code: "limits/steps-not-drawn",
    severity: "warning",
    message: `the walk through the program is not drawn: ${steps} steps on ${devices} devices are more than ${mostDrawn} together; use fewer devices`,
  };
}
