import type { Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";
import type { OpaqueOperators } from "./opaque-operators.ts";
import { text } from "./values/values.ts";

/** Of `inspect.signature` the names of the parameters are known, where a function is written in Python. */
export function signature(
  of: Value | undefined,
  opaque: OpaqueOperators,
  context: Context,
  span: Span,
): Value {
  const name = "inspect.signature()";
  const names = parameterNames(of);
  if (names === undefined) return opaque.assumed(name);
  const parameters: Value = { kind: "dict", entries: new Map() };
  const set = context.getAttribute(parameters, "__setitem__", span);
  for (const each of names) {
    const value = opaque.assumed(`inspect.Parameter("${each}")`, { isUnsaid: true });
    context.call(
      set,
      [
        { value: text(each), span },
        { value, span },
      ],
      span,
    );
  }
  return opaque.assumed(name, {
    member: (asked) => (asked === "parameters" ? parameters : undefined),
  });
}

/** The parameters of a function or a method, and those with which a class is called. */
function parameterNames(of: Value | undefined): readonly string[] | undefined {
  if (of?.kind === "host-function") return parameterNames(of.member?.("__wrapped__"));
  if (of?.kind === "function") return of.parameters.map(({ name }) => name);
  const method = of?.kind === "method" ? of.callee : of?.kind === "class" ? initOf(of) : undefined;
  return method?.kind === "function"
    ? method.parameters.slice(1).map(({ name }) => name)
    : undefined;
}

function initOf({ mro }: Extract<Value, { kind: "class" }>): Value | undefined {
  return mro.find(({ attributes }) => attributes.has("__init__"))?.attributes.get("__init__");
}
