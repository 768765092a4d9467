import type { Refused } from "#app/share";
import type { Answer } from "./answer.ts";

const codes: Readonly<Record<Refused["refusal"], DiagnosticCode>> = {
  damaged: "share/damaged",
  newer: "share/newer",
  "not-a-link": "share/not-a-link",
  "too-large": "share/too-large",
};

/** The answer when a link is refused. */
export function refusal({ refusal: kind, message }: Refused): Answer {
  const code = codes[kind];
  return { ok: false, refusal: kind, diagnostics: [{ code, severity: "error", message }] };
}
