import { type Compiled, type CompileOptions, compile, compileDocument } from "#compile";
import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import { graphFormatOf, readDocument } from "#systems";
import { type Arguments, badRequest } from "./answer.ts";
import { readGraphOptions, requestTexts } from "./graph-request.ts";
import { platformFault, readPlatform } from "./platform-request.ts";

/**
 * Compiles the `program` of a request, on its `hardware`, with its `outputs` and under its `model`
 * where it has them; of a graph with the plan beside it, its dialect and its data types. Faults of
 * the program are the compiled document's own.
 */
export function compileRequest(args: Arguments): Checked<Compiled> {
  const opened = openRequest(args);
  return opened.ok ? passed(opened.value.compiled) : opened;
}

/** A compiled request; of a program also what was read, which runs the bodies of its functions. */
export interface OpenedRequest {
  readonly compiled: Compiled;
  readonly document?: Document;
}

/** The same with the document: reading a text is half of the work, and is done once. */
export function openRequest(args: Arguments): Checked<OpenedRequest> {
  const { program, hardware, outputs, model, as } = args;
  if (typeof program !== "string") return refused('"program" must be a text');
  const platform = hardware === undefined ? undefined : readPlatform(hardware);
  if (platform?.ok === false) return platform;
  if (outputs !== undefined && !isOutputs(outputs)) {
    return refused('"outputs" must be an object of layout texts by the names of results');
  }
  const graphOptions = readGraphOptions(args);
  if (!graphOptions.ok) return graphOptions;
  const options: CompileOptions = {
    ...(platform !== undefined && { platform: platform.value }),
    ...(outputs !== undefined && { outputs }),
    ...(model !== undefined && { model: String(model) }),
    ...(as !== undefined && { as: String(as) }),
    ...graphOptions.value,
  };
  const { program: source, planText } = requestTexts(args);
  const planned = { ...options, ...(planText !== undefined && { planText }) };
  // A platform is the hardware of the request, which says all of it as data.
  const key = JSON.stringify([source, { ...planned, platform: hardware }]);
  const known = last?.key === key ? last.opened.deref() : undefined;
  if (known !== undefined) return whole(args, known);
  const made = opened(source, options, planned);
  last = { key, opened: new WeakRef(made) };
  return whole(args, made);
}

/**
 * The last compiled program, since several requests often concern one program. The reference is
 * weak: the next request may need all the memory.
 */
let last: { readonly key: string; readonly opened: WeakRef<OpenedRequest> } | undefined;

/** Compiles a text with its options; of a graph with the plan that may stand in its own text. */
function opened(source: string, options: CompileOptions, planned: CompileOptions): OpenedRequest {
  if (graphFormatOf(source) !== undefined) return { compiled: compile(source, planned) };
  const document = readDocument(source, options.platform, options.as);
  return { compiled: compileDocument(document, options), document };
}

/** What was compiled, unless the hardware of the request lacks what its mesh needs. */
function whole(args: Arguments, opened: OpenedRequest): Checked<OpenedRequest> {
  const lacking = platformFault(args, opened.compiled.mesh.mesh);
  return lacking === undefined ? passed(opened) : failed(lacking);
}

function isOutputs(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
