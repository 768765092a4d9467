/** The names that the text binds to a `Layout(…)`: `layout`, `self.layout`. */
export function layoutNames(source: string): ReadonlySet<string> {
  const bindings = source.matchAll(
    /^[ \t]*([\p{L}_][\p{L}\p{N}_.]*)[ \t]*=[ \t]*(?:\w+\.)*Layout\(/gmu,
  );
  return new Set([...bindings].map(([, name = ""]) => name));
}
