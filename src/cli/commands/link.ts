import { checkShareable, encodeLink } from "#app/share";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { refusal } from "./refusal.ts";

/** `link`: the fragment that carries a program, with the plan, name and baseline given. */
export function linkAnswer(args: Arguments): Answer {
  const { program, plan, name, base } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  for (const [key, value] of Object.entries({ plan, name, base })) {
    if (value !== undefined && typeof value !== "string") {
      return badRequest(`"${key}" must be a text`);
    }
  }
  const document = {
    text: program,
    ...(typeof plan === "string" && { plan }),
    ...(typeof name === "string" && { name }),
    ...(typeof base === "string" && { base }),
  };
  const link = encodeLink(document);
  const refused = checkShareable(document, link);
  return refused === undefined ? { ok: true, link, diagnostics: [] } : refusal(refused);
}
