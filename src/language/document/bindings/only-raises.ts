import type { Span } from "#core/diagnostics";

/** How far behind a value of a condition the error is looked for that it raises. */
const mostBetween = 400;

/** Whether the condition that a value ends only decides whether an error is raised. */
export function onlyRaises(source: string, { to }: Span): boolean {
  const behind = source.slice(to, to + mostBetween).replace(/#[^\n]*/gu, "");
  return /^[^\n]*:\s*raise\b/u.test(behind);
}
