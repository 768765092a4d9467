import type { Span } from "#core/diagnostics";

/** Characters after a condition's value in which its `raise` is looked for. */
const mostBetween = 400;

/** Whether a condition, whose last value ends at a span, only guards a `raise`. */
export function onlyRaises(source: string, { to }: Span): boolean {
  const behind = source.slice(to, to + mostBetween).replace(/#[^\n]*/gu, "");
  return /^[^\n]*:\s*raise\b/u.test(behind);
}
