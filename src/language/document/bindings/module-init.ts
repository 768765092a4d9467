import type { Diagnostic, Fix, Span, TextEdit } from "#core/diagnostics";
import type { FunctionValue, InstanceValue } from "#language/python";

/** Diagnostic for a module class whose `__init__` never calls that of its base. */
export function missingInit(self: InstanceValue, system: string, source: string): Diagnostic {
  const init = initOf(self);
  const first = isWritten(init) ? firstStatement(init, source) : undefined;
  return {
    code: "document/missing-super-init",
    severity: "warning",
    message: `"${self.type.name}" never calls super().__init__(), which ${system} needs: read as if it did`,
    span: (isWritten(init) ? init.nameSpan : self.type.nameSpan) ?? { from: 0, to: 0 },
    upstream: "AttributeError",
    ...(first && { fixes: [{ title: "Call super().__init__()", edits: [first] }] }),
  };
}

/** Diagnostic for a module that sets an attribute before it calls the base's `__init__`. */
export function lateInit(
  self: InstanceValue,
  attribute: string,
  system: string,
  source: string,
  call: Span,
): Diagnostic {
  const init = initOf(self);
  return {
    code: "document/late-super-init",
    severity: "warning",
    message: `"${self.type.name}" sets "${attribute}" before super().__init__(), which ${system} refuses: read as if it came first`,
    span: call,
    upstream: "AttributeError",
    fixes: init === undefined ? [] : movedFirst(init, source, call),
  };
}

function initOf({ type }: InstanceValue): FunctionValue | undefined {
  const init = type.attributes.get("__init__");
  return init?.kind === "function" ? init : undefined;
}

/** Whether an `__init__` is in the text; a decorator can generate one without a position. */
function isWritten(init: FunctionValue | undefined): init is FunctionValue {
  return init !== undefined && init.nameSpan.to > init.nameSpan.from;
}

/**
 * Edit that inserts the call before the body's first statement; `undefined` for one-line bodies.
 */
function firstStatement({ bodySpan }: FunctionValue, source: string): TextEdit | undefined {
  const at = bodySpan.from;
  const indent = source.slice(source.lastIndexOf("\n", at - 1) + 1, at);
  if (!/^[ \t]+$/.test(indent)) return undefined;
  return { from: at, to: at, text: `super().__init__()\n${indent}` };
}

/**
 * Fix that moves a call, alone on its line, to the top of the body; empty when it shares its line.
 */
function movedFirst(init: FunctionValue, source: string, call: Span): readonly Fix[] {
  const first = firstStatement(init, source);
  const from = source.lastIndexOf("\n", call.from) + 1;
  const end = source.indexOf("\n", call.to);
  const line = source.slice(from, end < 0 ? source.length : end);
  const text = source.slice(call.from, call.to);
  if (first === undefined || line.trim() !== text || text.includes("\n")) return [];
  const moved = { ...first, text: first.text.replace("super().__init__()", () => text) };
  const removed = { from, to: end < 0 ? source.length : end + 1, text: "" };
  return [{ title: `Move ${text} to the top`, edits: [moved, removed] }];
}
