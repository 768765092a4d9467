import type { Diagnostic, Span } from "#core/diagnostics";
import { getAttribute } from "../values/attributes.ts";
import { call } from "../values/call.ts";
import type { Apart } from "../values/context.ts";
import { itemsOf } from "../values/iterate.ts";
import type { Runtime } from "../values/runtime.ts";
import { setAttribute } from "../values/set-attribute.ts";
import { PoisonedValueUsed } from "../values/signals.ts";
import { textOf } from "../values/text.ts";
import type { Context } from "../values/value.ts";
import { faultOf } from "./faults.ts";

/** The evaluator's interface for functions of the host. */
export function createContext(rt: Runtime): Context {
  const said = new Set<string>();
  const report = (given: Diagnostic) => {
    const diagnostic = { ...given, ...placeIn(rt, given.span) };
    const { code, message, span } = diagnostic;
    if (rt.host.isUndecided?.(diagnostic) === true) {
      rt.unknownAsked += 1;
      rt.host.onUndecided?.(diagnostic, rt.frames);
    }
    const key = `${code} ${span?.from} ${span?.to} ${message}`;
    const isSame = (each: Diagnostic) =>
      each.code === code && each.message === message && each.span?.from === span?.from;
    // Diagnostics of a run apart are discarded with it, so they may be reported again.
    if (said.has(key) && rt.diagnostics.some(isSame)) return;
    said.add(key);
    rt.diagnostics.push(diagnostic);
  };
  return {
    call: (callee, args, span) => call(rt, callee, args, span),
    getAttribute: (value, name, span) => getAttribute(rt, value, name, span),
    setAttribute: (value, name, to, span) => setAttribute(rt, value, name, to, span),
    iterate: (value, span) => itemsOf(rt, value, span),
    text: (value) => textOf(rt, value, rt.at),
    raise: (kind, message, span, extra) => rt.fail(kind, message, span, extra),
    report,
    leaveOut: (diagnostic) => {
      report(diagnostic);
      throw new PoisonedValueUsed();
    },
    attempt: (action, options) => {
      const depth = rt.frames.length;
      const { guards } = rt;
      try {
        if (options?.isQuiet === true) rt.guards += 1;
        return action();
      } catch (signal) {
        const fault = faultOf(rt, signal);
        rt.frames.length = depth;
        if (fault.diagnostic !== undefined && options?.isQuiet === true)
          options.onFault?.(fault.diagnostic);
        else if (fault.diagnostic !== undefined)
          rt.diagnostics.push(withAssumption(fault.diagnostic, options?.assumes));
        if (fault.isFinal) throw signal;
        return undefined;
      } finally {
        rt.guards = guards;
      }
    },
    apart: (action, steps) => runApart(rt, action, steps),
    library: (home, text) => rt.runLibrary(home, text),
    get isGuarded() {
      return rt.isStrict || rt.guards > 0;
    },
    ownName: (name) => {
      if (!rt.globals.has(name)) rt.bindLater(name, false);
      const found = rt.globals.get(name);
      return found?.kind === "unknown" ? undefined : found;
    },
    frames: rt.frames,
    source: rt.source,
  };
}

/**
 * Overrides a span in a library module by the call in the text that led there; empty for spans in
 * the text.
 */
function placeIn(rt: Runtime, span: Span | undefined): Pick<Diagnostic, "span"> {
  const { calledFrom } = rt;
  return span === undefined || span.from >= 0 || calledFrom === undefined
    ? {}
    : { span: calledFrom };
}

/** A Python fault as a warning that names the assumption under which the code ran. */
function withAssumption(fault: Diagnostic, assumes: string | undefined): Diagnostic {
  if (assumes === undefined || !fault.code.startsWith("python/")) return fault;
  return { ...fault, severity: "warning", message: `${fault.message} (${assumes})` };
}

/** Runs an action with a step budget of its own, and restores the program's state afterwards. */
function runApart<T>(rt: Runtime, action: () => T, steps: number): Apart<T> {
  const marks = [rt.frames.length, rt.handled.length, rt.diagnostics.length, rt.output.length];
  try {
    return { ok: true, value: rt.budgeted(steps, action) };
  } catch (signal) {
    const { diagnostic } = faultOf(rt, signal);
    return { ok: false, fault: diagnostic };
  } finally {
    const [frames = 0, handled = 0, diagnostics = 0, output = 0] = marks;
    rt.frames.length = frames;
    rt.handled.length = handled;
    rt.diagnostics.length = diagnostics;
    rt.output.length = output;
  }
}
