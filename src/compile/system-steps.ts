import { type Checked, failed } from "#core/diagnostics";
import { createLayoutKeys } from "#core/mesh";
import type { SystemReshard } from "#core/program";
import type { PricedSteps } from "#core/reshard";
import { reshardSystems } from "#language/document";
import { systemReshard } from "./as-system-edge.ts";
import type { PolicyName } from "./compiled.ts";

/** The systems whose own steps can be chosen and are shown beside ours. */
export const policyNames: readonly PolicyName[] = reshardSystems;

/** So many edges are remembered before it begins anew. */
const mostEdges = 10_000;

/** Other systems' own steps, each edge worked out once. */
export function createSystemSteps(): SystemReshard {
  let known = new Map<string, Checked<PricedSteps>>();
  const keyOf = createLayoutKeys();
  return (system, { isInside: isWritten, ...edge }) => {
    const policy = policyNames.find((name) => name === system);
    if (policy === undefined) {
      const message = `no system is called "${system}"`;
      return failed({ code: "reshard/no-such-steps", severity: "warning", message });
    }
    const { from, to, shape, bytesPerElement } = edge;
    const about = [system, keyOf(from), keyOf(to), shape.join(), bytesPerElement, isWritten];
    const key = about.join(";");
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = systemReshard(policy, { ...edge, isWritten });
    if (known.size >= mostEdges) known = new Map();
    known.set(key, found);
    return found;
  };
}
