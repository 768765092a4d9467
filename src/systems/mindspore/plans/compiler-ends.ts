import type { Diagnostic, Span } from "#core/diagnostics";
import type { Trace } from "#language/document/trace";
import { constantResults } from "../emitted/constants.ts";
import { lostParameters } from "../emitted/lost-parameters.ts";
import { parallelSetting } from "./parallel-mode.ts";

/**
 * Errors for programs on which MindSpore 2.10 stops under a parallel mode: nets whose results are
 * all constants, and parameters that nothing reads after constant folding.
 */
export function constantNets(trace: Trace, source: string): readonly Diagnostic[] {
  if ((parallelSetting(trace)?.devices ?? 1) < 2) return [];
  const given = constantResults(trace).map(({ span }) =>
    keyNotFound("this net: it works out all that it gives while it compiles, a constant", span),
  );
  return given.length > 0 ? given : unreadParameters(trace, source);
}

function unreadParameters(trace: Trace, source: string): readonly Diagnostic[] {
  const [lost] = lostParameters(trace, source);
  if (lost === undefined) return [];
  const { parameter, span } = lost;
  const name =
    parameter.name === undefined ? "a parameter" : `the parameter "${parameter.name.text}"`;
  const what = `this: of what ${name} is used for, only a shape or a data type is left, or ones like it, which it works out while it compiles: then nothing reads it`;
  return [keyNotFound(what, span)];
}

function keyNotFound(what: string, span: Span): Diagnostic {
  const message = `MindSpore 2.10 refuses ${what}; under a parallel mode its compiler ends there ("key not found")`;
  return {
    ...{ code: "mindspore/constant-result", severity: "error" },
    ...{ message, upstream: "RuntimeError", span },
  } as const;
}
