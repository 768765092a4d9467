import type { Fix, Span } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { PolicyPartition, Trace } from "#language/document/trace";

type Level = PolicyPartition["levels"][number];

/**
 * The fix that sets nnScaler's flag before the policy, so that sums are all-reduced and then
 * sliced.
 */
export function scatterAvoided(
  { policyDefinition, partitions }: Trace,
  source: string,
): Fix | undefined {
  const place = policyDefinition ?? partitions[0]?.span;
  if (place === undefined || place.from < 0) return undefined;
  const from = source.lastIndexOf("\n", place.from - 1) + 1;
  if (/^[ \t]/.test(source.slice(from))) return undefined;
  const text =
    "from nnscaler.flags import CompileFlag\n\nCompileFlag.disable_reduce_scatter_adapter = True\n\n\n";
  return {
    title: "Add sums up whole, without a reduce-scatter: more bytes, right numbers",
    edits: [{ from, to: from, text }],
  };
}

/**
 * The fix that lists the devices in ascending order, if the text lists them in the order of the
 * assignment.
 */
export function devicesSorted({ pieces }: PolicyPartition, source: string): Fix | undefined {
  const order = pieces.flatMap(({ devices }) => devices);
  const listed = new RegExp(`([[(]\\s*)(${order.join("\\s*,\\s*")})(\\s*,?\\s*[\\])])`, "u");
  const found = listed.exec(source);
  if (order.length < 2 || found === null) return undefined;
  const from = found.index + (found[1]?.length ?? 0);
  const text = [...order].sort((a, b) => a - b).join(", ");
  return {
    title: `List the devices in order: ${text}`,
    edits: [{ from, to: from + (found[2]?.length ?? 0), text }],
  };
}

/** The fix that cuts instead of replicating, along the identifier that the policy cuts next. */
export function copiesCut(
  operator: Operator,
  { copies, cut, span }: { readonly copies: Level; readonly cut: Level; readonly span: Span },
  source: string,
): Fix | undefined {
  const call = /^([\w.]+)\.replicate\(\s*(?:node\s*=\s*)?([\w.[\]]+)\s*,[^,]*\)$/u;
  const written = call.exec(source.slice(span.from, span.to));
  const size = operator.axes.find(({ name }) => name === cut.identifier)?.size ?? 0;
  if (written === null || size % (copies.count * cut.count) !== 0) return undefined;
  for (const [operand, { dims }] of operator.inputs.entries()) {
    const dim = dims.findIndex(({ splittable }) => splittable === cut.identifier);
    if (dim < 0) continue;
    const [, graph = "", node = ""] = written;
    const text = `${graph}.partition(${node}, ${node}.algorithm("dim"), idx=${operand}, dim=${dim}, num=${copies.count})`;
    return {
      title: `Cut "${cut.identifier}" into ${copies.count} more instead of copying`,
      edits: [{ ...span, text }],
    };
  }
  return undefined;
}
