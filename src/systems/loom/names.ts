import type { LoomId, LoomNode } from "./graph.ts";

/**
 * A unique name per node: its label, with `#2` for the second node of that label. Without a label:
 * the last word of an operation's kernel (`matmul`, `matmul#2`) if no label takes it; the id of any
 * other node.
 */
export function uniqueNames(nodes: readonly LoomNode[]): ReadonlyMap<LoomId, string> {
  const isLabelled = ({ label }: LoomNode) => label !== undefined;
  const labelled = nodes.filter(isLabelled);
  const wanted = new Set(labelled.map(nameOf));
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const entries = [...labelled, ...nodes.filter((node) => !isLabelled(node))].map((node) => {
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

function nameOf(node: LoomNode): string {
  if (node.label !== undefined) return node.label;
  return node.kind === "Operation" ? wordOf(node.kernel) : node.id;
}

/** `matmul` of `op:matmul`, `linear` of `torch.nn.functional.linear`. */
function wordOf(kernel: string): string {
  const words = kernel.match(/[\p{L}\p{N}_-]+/gu);
  return words?.at(-1) ?? "operation";
}
