import type { Span } from "#core/diagnostics";
import { isSubclass } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { none } from "../values/plain-values.ts";
import { instantiateException } from "../values/raise.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import type { GeneratorValue, Resume, Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";

type GeneratorMethod = (
  rt: Runtime,
  self: GeneratorValue,
  args: readonly Argument[],
  span: Span,
) => Value;

/** The methods of generators. */
export const generatorMethods: ReadonlyMap<string, GeneratorMethod> = new Map<
  string,
  GeneratorMethod
>([
  ["__iter__", (_rt, self) => self],
  ["__next__", (rt, self, _args, span) => step(rt, self, { send: none }, span)],
  [
    "send",
    (rt, self, args, span) =>
      step(rt, self, { send: first(bindArguments(rt, "send", args, "arg", span)) }, span),
  ],
  ["throw", throwInto],
  ["close", close],
]);

function step(rt: Runtime, self: GeneratorValue, how: Resume, span: Span): Value {
  const { done, value } = self.resume(how, span);
  if (!done) return value;
  const stop = rt.exception("StopIteration", value.kind === "none" ? [] : [value]);
  stop.attributes.set("value", value);
  throw new Raised(stop, span);
}

function throwInto(
  rt: Runtime,
  self: GeneratorValue,
  args: readonly Argument[],
  span: Span,
): Value {
  const [type = none, value] = bindArguments(rt, "throw", args, "type value? traceback?", span);
  return step(
    rt,
    self,
    { raise: new Raised(instantiateException(rt, type, value, span), span) },
    span,
  );
}

function close(rt: Runtime, self: GeneratorValue, _args: readonly Argument[], span: Span): Value {
  const exit = rt.exception("GeneratorExit", []);
  try {
    const { done } = self.resume({ raise: new Raised(exit, span) }, span);
    if (!done) rt.fail("RuntimeError", "generator ignored GeneratorExit", span);
  } catch (signal) {
    const isEnd =
      signal instanceof Raised &&
      (isSubclass(signal.exception.type, rt.type("GeneratorExit")) ||
        isSubclass(signal.exception.type, rt.type("StopIteration")));
    if (!isEnd) throw signal;
  }
  return none;
}
