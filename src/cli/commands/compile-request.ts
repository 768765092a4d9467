import { type Compiled, type CompileOptions, compile } from "#compile";
import { type Checked, failed, passed } from "#core/diagnostics";
import { type Arguments, badRequest } from "./answer.ts";
import { readLoomOptions, requestTexts } from "./loom-request.ts";
import { readPlatform } from "./platform-request.ts";

/**
 * Compiles the `program` of a request, on its `hardware`, with its `outputs` and under its `model` where it has
 * them;
 * of a LoomGraph with the plan beside it, its dialect and its data types.
 * Faults of the program are the compiled document's own.
 */
export function compileRequest(args: Arguments): Checked<Compiled> {
  const { program, hardware, outputs, model } = args;
  if (typeof program !== "string") return refused('"program" must be a text');
  const platform = hardware === undefined ? undefined : readPlatform(hardware);
  if (platform?.ok === false) return platform;
  if (outputs !== undefined && !isOutputs(outputs)) {
    return refused('"outputs" must be an object of layout texts by the names of results');
  }
  const loom = readLoomOptions(args);
  if (!loom.ok) return loom;
  const options: CompileOptions = {
    ...(platform !== undefined && { platform: platform.value }),
    ...(outputs !== undefined && { outputs }),
    ...(model !== undefined && { model: String(model) }),
    ...loom.value,
  };
  const texts = requestTexts(args);
  const { planText } = texts;
  return passed(
    compile(texts.program, { ...options, ...(planText !== undefined && { planText }) }),
  );
}

function isOutputs(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
