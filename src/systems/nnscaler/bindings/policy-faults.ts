import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { Context, FunctionValue, Value } from "#language/python";
import type { PolicyNode } from "./policy-node.ts";
import type { PolicySetting } from "./policy-setting.ts";

export function reportReturn(func: FunctionValue, value: Value, context: Context): void {
  const { name, nameSpan } = func;
  const isMissing = value.kind === "none";
  context.report({
    code: "nnscaler/policy-return",
    severity: isMissing ? "warning" : "error",
    message: `"${name}" must return the graph`,
    span: nameSpan,
    upstream: "RuntimeError",
    ...(isMissing && { fixes: returning(func, context.source) }),
  });
}

/** The fix that adds a last line which returns the first parameter. */
function returning({ parameters, bodySpan }: FunctionValue, source: string): readonly Fix[] {
  const graph = parameters[0]?.name;
  const line = source.slice(source.lastIndexOf("\n", bodySpan.from - 1) + 1, bodySpan.from);
  if (graph === undefined || !/^[ \t]+$/.test(line)) return [];
  const { to } = bodySpan;
  const end = { from: to, to, text: `\n${line}return ${graph}` };
  return [{ title: `Return ${graph} at the end`, edits: [end] }];
}

/** The fix that passes the number of devices as `num`. */
export function countPassed({ devices }: PolicySetting, { source }: Context, span: Span): Fix {
  const at = span.to - 1;
  const lead = /[(,]$/.test(source.slice(span.from, at).trimEnd()) ? "" : ", ";
  const text = `num=${devices.length}`;
  return { title: `Pass ${text}`, edits: [{ from: at, to: at, text: lead + text }] };
}

/** Message that says why autodist is not run. */
export const autodistSaid =
  "nnScaler's autodist is not run here: it measures operators on devices and searches; the planner here searches by its own figures";

/** The warning for a function of nnScaler that a policy calls and that is not run here. */
export function notRunHere(word: string, span: Span): Diagnostic {
  return {
    code: "nnscaler/not-run-here",
    severity: "warning",
    message: `${word}() is not run here: the plan is drawn as if it were not called`,
    span,
  };
}

export function uneven({ name }: PolicyNode, span: Span): Diagnostic {
  return {
    code: "nnscaler/uneven-partition",
    severity: "warning",
    message: `the pieces of "${name}" are split in different ways: it is shown replicated`,
    span,
  };
}

export function unassigned({ name }: PolicyNode, span: Span): Diagnostic {
  return {
    code: "nnscaler/unassigned-piece",
    severity: "warning",
    message: `pieces of "${name}" have no device: they go to the devices in order, but nnScaler needs graph.assign`,
    span,
    upstream: "RuntimeError",
  };
}
