import type { Diagnostic } from "./diagnostic.ts";

/** Index in a name: `layers[3]`, or `layers.3` in a path or at its end. */
const indices =
  /(?<=[\p{L}\p{N}_\])]\[)\d+(?=\])|(?<=[\p{L}_\]][\p{L}\p{N}_]*\.)\d+(?=[."'\s]|$)/gu;

/**
 * Merges equal warnings and remarks about equal parts of a program, such as its layers, into one
 * with a count: `"layers[0..79].y" … (×80)`. Merged ones have the same span and differ only in
 * indices of names; errors are never merged. The result takes the position of the first one.
 */
export function mergeRepeatedDiagnostics(
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const groups = new Map<string, Diagnostic[]>();
  for (const [at, diagnostic] of diagnostics.entries()) {
    const key = diagnostic.severity === "error" ? `${at}` : likeness(diagnostic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [diagnostic]);
    else group.push(diagnostic);
  }
  if (groups.size === diagnostics.length) return diagnostics;
  return [...groups.values()].map(folded);
}

/** Equal for diagnostics that differ in indices alone. */
function likeness(diagnostic: Diagnostic): string {
  const text = (_: string, value: unknown) =>
    typeof value === "string" ? value.replace(indices, "*") : value;
  return JSON.stringify(diagnostic, text);
}

function folded(group: readonly Diagnostic[]): Diagnostic {
  const [first] = group;
  if (first === undefined) throw new Error("nothing to fold");
  if (group.length === 1) return first;
  const known = group.map(({ message }) => [...message.matchAll(indices)].map(([index]) => index));
  let at = -1;
  const message = first.message.replace(indices, () => {
    at += 1;
    return rangeOf(known.map((own) => Number(own[at])));
  });
  return { ...first, message: `${message} (×${group.length})` };
}

/** `3`, `0..79`, or `*` for indices between which some are missing. */
function rangeOf(values: readonly number[]): string {
  const all = new Set(values);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (least === most) return `${least}`;
  return most - least + 1 === all.size ? `${least}..${most}` : "*";
}
