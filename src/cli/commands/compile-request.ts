import { type Compiled, type CompileOptions, compile, compileDocument } from "#compile";
import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import { graphFormatOf, readDocument } from "#systems";
import { type Arguments, badRequest } from "./answer.ts";
import { readGraphOptions, requestTexts } from "./graph-request.ts";
import { platformFault, readPlatform } from "./platform-request.ts";

/**
 * Compiles a request's `program` with its `hardware`, `outputs` and `model`, if given; for a graph,
 * with its plan, dialect and dtypes. Faults of the program are diagnostics of the compiled result.
 */
export function compileRequest(args: Arguments): Checked<Compiled> {
  const opened = openRequest(args);
  return opened.ok ? passed(opened.value.compiled) : opened;
}

/**
 * A compiled request; for a program also its document, which can run the bodies of its functions.
 */
export interface OpenedRequest {
  readonly compiled: Compiled;
  readonly document?: Document;
}

/**
 * Compiles a request and keeps its document: reading a text is half of the work, and is done once.
 */
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
  // The platform is represented by the request's hardware, which is plain data.
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

/** Compiles a text with its options; a graph's plan may be part of its own text. */
function opened(source: string, options: CompileOptions, planned: CompileOptions): OpenedRequest {
  if (graphFormatOf(source) !== undefined) return { compiled: compile(source, planned) };
  const document = readDocument(source, options.platform, options.as);
  return { compiled: compileDocument(document, options), document };
}

/**
 * The compiled request, or a failure if the request's hardware lacks figures that its mesh needs.
 */
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
