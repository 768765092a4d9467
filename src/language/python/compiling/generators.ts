import type { Span } from "#core/diagnostics";
import { isSubclass } from "../values/classes.ts";
import type { Frame } from "../values/host.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import type { GeneratorValue, Resume, Value } from "../values/value.ts";

/** A running body: yields Python values, receives sent values, returns the function's value. */
export type Body = Generator<Value, Value, Value>;

/** Memory cost of a generator, in list items. */
const generatorCells = 20;

/** Python generator over a suspended body; a generator expression has no frame of its own. */
export function generatorOver(
  rt: Runtime,
  name: string,
  body: Body | Generator<Value, Value>,
  frame?: Omit<Frame, "ordinal">,
): GeneratorValue {
  rt.allocate(generatorCells, rt.at);
  let state: "new" | "suspended" | "running" | "ended" = "new";
  const refuse = (how: Resume, span: Span) => {
    if (state === "running") rt.fail("ValueError", "generator already executing", span);
    if (state === "ended" && "raise" in how) throw how.raise;
    if (state === "new" && "send" in how && how.send.kind !== "none") {
      rt.fail("TypeError", "can't send non-None value to a just-started generator", span);
    }
  };
  const resume = (how: Resume, span: Span) => {
    refuse(how, span);
    if (state === "ended") return { done: true, value: none };
    rt.tick(5, span);
    if (frame !== undefined) rt.enter(frame, span);
    state = "running";
    let isOver = true;
    try {
      const outcome = rt.nested(span, () =>
        "raise" in how ? body.throw(how.raise) : body.next(how.send),
      );
      isOver = outcome.done === true;
      return { done: isOver, value: outcome.value };
    } catch (signal) {
      throw stopped(rt, signal, span);
    } finally {
      state = isOver ? "ended" : "suspended";
      if (frame !== undefined) rt.leave();
    }
  };
  return { kind: "generator", name, resume };
}

/**
 * Turns a StopIteration that leaves a generator into a RuntimeError, since it would look like the
 * generator's end.
 */
function stopped(rt: Runtime, signal: unknown, span: Span): unknown {
  if (signal instanceof Raised && signal.span.from < 0) signal.span = span;
  const isStop =
    signal instanceof Raised && isSubclass(signal.exception.type, rt.type("StopIteration"));
  if (!isStop) return signal;
  const message: Value = { kind: "str", value: "generator raised StopIteration" };
  return new Raised(rt.exception("RuntimeError", [message]), span);
}
