// Functions of `math` over several numbers.

import type { Span } from "#core/diagnostics";
import type { Argument } from "../values/host.ts";
import { itemsOf } from "../values/iterate.ts";
import { binary } from "../values/operators.ts";
import { float, none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";
import { floatArgument } from "./builtins-number.ts";

export function dist(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [p = none, q = none] = bindArguments(rt, "dist", args, "p q", span);
  const [a, b] = [itemsOf(rt, p, span), itemsOf(rt, q, span)];
  if (a.length !== b.length) {
    rt.fail("ValueError", "both points must have the same number of dimensions", span);
  }
  const gaps = a.map(
    (x, at) => floatArgument(rt, x, span) - floatArgument(rt, b[at] ?? none, span),
  );
  return float(Math.hypot(...gaps));
}

export function prod(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [of = none, start] = bindArguments(rt, "prod", args, "iterable start?", span);
  const one: Value = start ?? { kind: "int", value: 1n };
  return itemsOf(rt, of, args[0]?.span ?? span).reduce(
    (total, item) => binary(rt, "*", total, item, span),
    one,
  );
}

/** Shewchuk's exact summation, as in CPython. */
export function fsum(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const of = first(bindArguments(rt, "fsum", args, "seq", span));
  let partials: number[] = [];
  for (const item of itemsOf(rt, of, span)) {
    let x = floatArgument(rt, item, span);
    const kept: number[] = [];
    for (const partial of partials) {
      const [high, low] = Math.abs(x) < Math.abs(partial) ? [partial, x] : [x, partial];
      const sum = high + low;
      const lost = low - (sum - high);
      if (lost !== 0) kept.push(lost);
      x = sum;
    }
    rt.tick(partials.length, span);
    partials = [...kept, x];
  }
  return float(partials.reduceRight((total, partial) => total + partial, 0));
}
