/**
 * An integer list among attributes, in any printed form: `dims = [0, 1]`, `array<i64: 0, 1>`,
 * `dense<[[0, 1]]>` (flattened; `dense<0>` is one number).
 */
export function integers(text: string, name: string): readonly number[] | undefined {
  const at = new RegExp(String.raw`\b${name} = (?:array<i64(?::\s*)?|dense<)?([^=]*)`, "u").exec(
    text,
  );
  if (at === null) return undefined;
  const rest = at[1] ?? "";
  const list = /^\[/u.test(rest) ? listAt(rest) : (/^[^>]*/u.exec(rest)?.[0] ?? "");
  return [...list.matchAll(/-?\d+/gu)].map(([each]) => Number(each));
}

/** The text up to the bracket that closes the first one. */
function listAt(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "[") depth += 1;
    else if (text[at] === "]") depth -= 1;
    if (depth === 0) return text.slice(0, at);
  }
  return text;
}

/** An integer among attributes: `feature_group_count = 2 : i64`. */
export function integer(text: string, name: string): number | undefined {
  const found = new RegExp(String.raw`\b${name} = (-?\d+)`, "u").exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
