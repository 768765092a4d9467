import type { Span } from "#core/diagnostics";
import type { LoopWatch } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import type { Advance, Value } from "../values/value.ts";
import { type Completion, completion } from "./scope.ts";

/** A `for` loop after its first item was read. */
interface Loop {
  readonly first: Value;
  readonly advance: Advance;
  /** Binds the target and runs the body for an item. */
  readonly round: (item: Value) => Completion;
  readonly span: Span;
}

/**
 * Runs the first round, or one round for all items when the host finds that the rounds are alike.
 */
export function firstRound(rt: Runtime, { first, advance, round, span }: Loop): Completion {
  const watch = rt.host.onLoop?.(first, span, rt.context);
  if (watch === undefined) return round(first);
  const [depth, handled] = [rt.frames.length, rt.handled.length];
  if (!watch.isOne) {
    try {
      return round(first);
    } catch (signal) {
      if (signal !== watch.signal) throw signal;
      rt.frames.length = depth;
      rt.handled.length = handled;
    } finally {
      watch.end();
    }
  }
  const items = [first];
  for (let item = advance(); item !== undefined; item = advance()) items.push(item);
  return oneForAll(rt, watch, items, round) ?? oneByOne(items, round);
}

/**
 * One round for all items; `undefined` when they must run one by one. When it fails, its
 * diagnostics are dropped and the fault is rethrown.
 */
function oneForAll(
  rt: Runtime,
  watch: LoopWatch,
  items: readonly Value[],
  round: Loop["round"],
): Completion | undefined {
  const said = rt.diagnostics.length;
  try {
    const one = watch.begin(items);
    if (one === undefined) return undefined;
    const end = round(one);
    watch.end();
    return end;
  } catch (signal) {
    rt.diagnostics.length = said;
    watch.abandon();
    if (isNotRead(signal)) rt.abandoned = signal;
    throw signal;
  }
}

/** Whether a signal means an unsupported feature of the host rather than a fault of the text. */
function isNotRead(signal: unknown): boolean {
  if (!(signal instanceof Raised) || signal.isOfText) return false;
  return signal.exception.type.name === "NotImplementedError";
}

function oneByOne(items: readonly Value[], round: Loop["round"]): Completion {
  for (const item of items) {
    const end = round(item);
    if (end === completion.break || end === completion.return) return end;
  }
  return completion.next;
}
