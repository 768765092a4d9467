import { type Diagnostic, hasErrors } from "#core/diagnostics";
import {
  type Context,
  evaluate,
  type Host,
  type HostObject,
  isJsonWithin,
  toJson,
  type Value,
} from "#language/python";
import { programHost } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";

const nowhere = { from: 0, to: 0 };

/**
 * `evaluate`: the value of a program's last expression statement, and its printed output. Strict as
 * CPython: the first fault ends it.
 *
 * @param host names available to the program besides Python's own
 */
export function evaluateAnswer(args: Arguments, host: Host = programHost()): Answer {
  const { program } = args;
  if (typeof program !== "string") return badRequest('"program" must be a text');
  let value: unknown = null;
  const { diagnostics, output } = evaluate(
    program,
    withAnswer(host, (plain) => (value = plain)),
    {
      recover: false,
    },
  );
  const ok = !hasErrors(diagnostics);
  return ok ? { ok, value, output, diagnostics } : { ok, output, diagnostics };
}

/** The host extended by an end hook that passes on the value as plain data. */
function withAnswer(host: Host, give: (plain: unknown) => void): Host {
  return {
    ...host,
    onEnd: (globals, context, value) => {
      host.onEnd?.(globals, context, value);
      if (value === undefined) return;
      if (!isJsonWithin(value, mostParts)) context.report(valueTooLarge);
      else give(toJson(value, (object) => plainHost(object, context)));
    },
  };
}

/** Most items and pieces of text of a value that is written out. */
const mostParts = 250_000;

const valueTooLarge: Diagnostic = {
  code: "limits/too-large",
  severity: "error",
  message: `the value is too large to be written out: it has more than ${mostParts} parts`,
};

/** A layout is written as its `to_dict()`. */
function plainHost(object: HostObject, context: Context): unknown {
  const own = object.type.plain?.(object);
  if (own !== undefined) return own;
  const toDict = object.type.attribute?.(object, "to_dict", context, nowhere);
  if (toDict === undefined) return undefined;
  const dict: Value = context.call(toDict, [], nowhere);
  return toJson(dict);
}
