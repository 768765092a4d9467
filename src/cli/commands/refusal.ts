import type { Refused } from "#app/share";
import type { Answer } from "./answer.ts";

/** The answer when a link is refused. */
export function refusal({ refusal: kind, message }: Refused): Answer {
  const code = `share/${kind}`;
  return { ok: false, refusal: kind, diagnostics: [{ code, severity: "error", message }] };
}
