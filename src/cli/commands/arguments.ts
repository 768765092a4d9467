import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import { type Argument, type Json, type Kwargs, type OpAnno, parseAnnotation } from "#core/dimops";
import { isRecord } from "#core/records";
import type { Arguments } from "./answer.ts";

/** Annotation and arguments of an `infer` or `partition` request. */
export interface AnnotatedCall {
  readonly candidates: readonly OpAnno[];
  readonly inputs: readonly Argument[];
  readonly kwargs: Kwargs;
}

/** Reads a request's `annotation` or `annotations`, `shapes` and `kwargs`. */
export function readCall(args: Arguments): Checked<AnnotatedCall> {
  const texts = textsOf(args);
  if (texts === undefined)
    return refused('"annotation" must be a text, or "annotations" a list of texts');
  if (!isList(args.shapes)) return refused('"shapes" must be a list');
  const inputs = args.shapes.map(argumentOf);
  if (!inputs.every(isSound)) return refused("the sizes of a shape must be integers from 0 on");
  const kwargs = args.kwargs ?? {};
  if (!isKwargs(kwargs)) return refused('"kwargs" must be an object');
  const parsed = texts.map(parseAnnotation);
  const faults = parsed.flatMap(({ ok, diagnostics }) => (ok ? [] : diagnostics));
  if (faults.length > 0) return failed(...placedIn(texts.length, faults));
  const candidates = parsed.flatMap((each) => (each.ok ? [each.value] : []));
  return passed({ candidates, inputs, kwargs });
}

/**
 * Diagnostics with their spans removed if there are several candidates, since each span refers to
 * another text.
 */
export function placedIn(
  candidates: number,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (candidates === 1) return diagnostics;
  return diagnostics.map(({ span: _span, related: _related, fixes: _fixes, ...rest }) => rest);
}

/** A list of numbers is a tensor's shape; anything else is passed as a plain value. */
function argumentOf(value: Json): Argument {
  const isShape = isList(value) && value.every((size) => typeof size === "number");
  return isShape ? { kind: "tensor", shape: value.map(Number) } : { kind: "plain", value };
}

function isSound(argument: Argument): boolean {
  if (argument.kind === "plain") return true;
  return argument.shape.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function textsOf({ annotation, annotations }: Arguments): readonly string[] | undefined {
  if (typeof annotation === "string") return [annotation];
  if (!Array.isArray(annotations)) return undefined;
  const texts = annotations.filter((text): text is string => typeof text === "string");
  return texts.length > 0 && texts.length === annotations.length ? texts : undefined;
}

// A request was parsed from JSON, so the contents of a list or object are JSON values.
function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

function isKwargs(value: unknown): value is Kwargs {
  return isRecord(value);
}

function refused(message: string): Checked<AnnotatedCall> {
  const fault: Diagnostic = { code: "cli/bad-request", severity: "error", message };
  return failed(fault);
}
