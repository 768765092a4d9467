import type { Graph, Tensor } from "#core/ir";

/** The given parameters of a program: those that no operator makes. */
export function parametersOf({ tensors }: Graph): readonly Tensor[] {
  return tensors.filter(({ role, producer }) => role === "parameter" && producer === undefined);
}

/** A name in the form of files: `h.0.w` for `h[0].w`. */
export function pathOf(name: string): string {
  return name.replaceAll(/\[(\d+)\]/g, ".$1");
}

/** The module prefix of a file's paths without which most of them are names of the program. */
export function prefixOf(wanted: ReadonlySet<string>, paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (let at = path.indexOf("."); at >= 0; at = path.indexOf(".", at + 1)) {
      if (!wanted.has(path.slice(at + 1))) continue;
      const prefix = path.slice(0, at + 1);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return most?.[0] ?? "";
}

/** Path without the leading module prefix. */
export function withoutPrefix(path: string, prefix: string): string {
  return prefix !== "" && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Limit on the names or sentences that are written out; the rest is counted. */
const mostNamed = 6;

/** The first few names in quotes, and the number of further names. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
