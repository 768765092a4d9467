import type { LoomId, LoomNode } from "./graph.ts";

/** A name per node: its label, with `#2` for the second of one label; without a label its id. */
export function uniqueNames(nodes: readonly LoomNode[]): ReadonlyMap<LoomId, string> {
  const wanted = new Set(nodes.map(nameOf));
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const entries = nodes.map((node) => {
    const name = nameOf(node);
    if (!taken.has(name)) {
      taken.add(name);
      return [node.id, name] as const;
    }
    let count = counts.get(name) ?? 2;
    while (taken.has(`${name}#${count}`) || wanted.has(`${name}#${count}`)) count += 1;
    counts.set(name, count + 1);
    taken.add(`${name}#${count}`);
    return [node.id, `${name}#${count}`] as const;
  });
  return new Map(entries);
}

function nameOf({ label, id }: LoomNode): string {
  return label ?? id;
}
