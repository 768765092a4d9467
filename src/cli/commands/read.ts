import { hasErrors } from "#core/diagnostics";
import { parameterNumbers } from "#core/ir";
import { readDocument } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { publishedOf } from "./published.ts";

/** `read`: a published file as a program, with the parameter counts of both. */
export function readAnswer(args: Arguments): Answer {
  const read = publishedOf(args);
  if (read === undefined) {
    return badRequest('"program" or "file" must be a published file of a kind that is read');
  }
  if (!read.ok) return { ok: false, diagnostics: read.diagnostics };
  const { format, title, program, sentence, choice, parameters: published, notes } = read.value;
  if (program === undefined) {
    const facts = published === undefined ? {} : { published };
    return { ok: true, format, title, read: sentence, ...facts, diagnostics: notes };
  }
  const { graph, diagnostics } = readDocument(program);
  const all = [...notes, ...diagnostics];
  return {
    ok: !hasErrors(all),
    ...{ format, title, read: sentence },
    parameters: parameterNumbers(graph),
    ...(published !== undefined && { published }),
    ...(choice !== undefined && {
      choice: { batch: choice.batch, sequence: choice.sequence, training: choice.isTraining },
    }),
    program,
    diagnostics: all,
  };
}
