import { hasErrors } from "#core/diagnostics";
import { settingsIntoText } from "#edit/settings";
import { readSettings } from "#systems/settings";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest, openRequest } from "./compile-request.ts";

/** `settings`: rewrites a program to run as the settings of a trainer or server say. */
export function settingsAnswer(args: Arguments): Answer {
  const { settings } = args;
  if (typeof settings !== "string") return badRequest('"settings" must be a text');
  const read = readSettings(settings);
  if (!read.ok) return { ok: false, diagnostics: read.diagnostics };
  const opened = openRequest(args);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { document } = opened.value;
  if (document === undefined) return badRequest("settings are for a program, not for a graph");
  const written = settingsIntoText(document, read.value);
  if (!written.ok) return { ok: false, diagnostics: written.diagnostics };
  const { source, axes, notes } = written.value;
  const after = compileRequest({ ...args, program: source });
  const diagnostics = [...notes, ...(after.ok ? after.value.diagnostics : after.diagnostics)];
  return {
    ok: !hasErrors(diagnostics),
    tool: read.value.tool,
    mesh: axes.map(({ name, size }) => [name, size]),
    program: source,
    diagnostics,
  };
}
