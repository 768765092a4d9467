import { checkShareable, encodeLink, leftOutOf } from "#app/share";
import type { Diagnostic } from "#core/diagnostics";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { refusal } from "./refusal.ts";

/** `link`: the URL fragment for a program, with its plan text, name and baseline, if given. */
export function linkAnswer(args: Arguments): Answer {
  const { program, planText, name, base } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  for (const [key, value] of Object.entries({ planText, name, base })) {
    if (value !== undefined && typeof value !== "string") {
      return badRequest(`"${key}" must be a text`);
    }
  }
  const document = {
    text: program,
    ...(typeof planText === "string" && { plan: planText }),
    ...(typeof name === "string" && { name }),
    ...(typeof base === "string" && { base }),
  };
  const link = encodeLink(document);
  const refused = checkShareable(document, link);
  if (refused !== undefined) return refusal(refused);
  const leftOut = leftOutOf(document);
  return { ok: true, link, diagnostics: leftOut.length === 0 ? [] : [charactersLeftOut(leftOut)] };
}

function charactersLeftOut(points: readonly string[]): Diagnostic {
  const message = `a link carries no characters that hide text: ${points.join(", ")} left out`;
  return { code: "share/characters-left-out", severity: "warning", message };
}
