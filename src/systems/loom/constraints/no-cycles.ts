import type { Json } from "#core/dimops";
import { headSpan, type LoomDocument, nodesOf, slotsAt, titleOf } from "../document.ts";
import { type LoomNode, loomId } from "../graph.ts";
import { type Finding, finding } from "../issue.ts";
import { simpleCycles } from "../simple-cycles.ts";
import { nodeTypeOf } from "../uris.ts";

/** Most cycles listed: a dense graph has exponentially many. */
const maxCycles = 64;

/**
 * Checks that no operation depends on its own results. Edges are per tensor, whatever parts are
 * selected.
 */
export function checkCycles(document: LoomDocument): readonly Finding[] {
  return simpleCycles(edgesOf(document), maxCycles).map((ids) => {
    const nodes = ids.flatMap((id) => document.nodes.get(loomId(id)) ?? []);
    const [first, ...others] = nodes;
    const titles = [...nodes, ...(first === undefined ? [] : [first])].map(titleOf);
    return finding({
      type: "ReferenceCycle",
      constraint: "NoTensorOperationCyclesConstraint",
      summary: "Reference Cycle detected",
      contexts: [{ name: "Cycle", data: nodes.map(cycleEntry) }],
      message: `these depend on each other in a circle: ${titles.join(" → ")}`,
      span: spanOfHead(document, first),
      related: others.flatMap((node) => {
        const span = spanOfHead(document, node);
        return span === undefined ? [] : [{ message: `${titleOf(node)} is on the cycle`, span }];
      }),
    });
  });
}

function edgesOf(document: LoomDocument): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, Set<string>>();
  for (const { id } of [...nodesOf(document, "Tensor"), ...nodesOf(document, "Operation")]) {
    edges.set(id, new Set());
  }
  for (const operation of nodesOf(document, "Operation")) {
    for (const { selection } of slotsAt(operation, "inputs")) {
      edges.get(selection.tensorId)?.add(operation.id);
    }
    for (const { selection } of slotsAt(operation, "outputs")) {
      edges.get(operation.id)?.add(selection.tensorId);
    }
  }
  const ordered = [...edges].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(ordered.map(([id, after]) => [id, [...after].sort()]));
}

function cycleEntry(node: LoomNode): Json {
  const label = node.label === undefined ? {} : { label: node.label };
  return { id: node.id, type: nodeTypeOf(node.kind), ...label };
}

function spanOfHead({ json }: LoomDocument, node: LoomNode | undefined) {
  const root = node && json.get(node.id);
  return root && headSpan(root);
}
