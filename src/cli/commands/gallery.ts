import { everyExample } from "#app/examples";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

/** `gallery`: all examples, or the one with a name. */
export function galleryAnswer(args: Arguments): Answer {
  const { name } = args;
  const found = everyExample.filter((example) => name === undefined || example.name === name);
  if (found.length === 0) {
    const names = everyExample.map((example) => example.name).join(", ");
    return badRequest(`there is no example ${JSON.stringify(name)}; there are ${names}`);
  }
  const shown = found.map(({ name: id, title, program, plan: planText }) => {
    return { name: id, title, program, ...(planText !== undefined && { planText }) };
  });
  return { ok: true, examples: shown, diagnostics: [] };
}
