import { type Checked, failed } from "#core/diagnostics";
import { createLayoutKeys } from "#core/mesh";
import type { SystemReshard } from "#core/program";
import type { PricedSteps } from "#core/reshard";
import { systems } from "#systems";
import { type ReshardingSystem, systemReshard } from "#systems/system";

/** The systems whose own steps can be chosen and are shown beside ours. */
export function reshardingSystems(): readonly ReshardingSystem[] {
  return systems.flatMap(({ name, title, reshards }) =>
    reshards === undefined ? [] : [{ name, title, reshards }],
  );
}

/** Their names, as texts write them. */
export function policyNames(): readonly string[] {
  return reshardingSystems().map(({ name }) => name);
}

/** So many edges are remembered before it begins anew. */
const mostEdges = 10_000;

/** Other systems' own steps, each edge worked out once. */
export function createSystemSteps(): SystemReshard {
  let known = new Map<string, Checked<PricedSteps>>();
  const keyOf = createLayoutKeys();
  const all = reshardingSystems();
  return (name, { isInside: isWritten, ...edge }) => {
    const system = all.find((each) => each.name === name);
    if (system === undefined) {
      const message = `no system is called "${name}"`;
      return failed({ code: "reshard/no-such-steps", severity: "warning", message });
    }
    const { from, to, shape, bytesPerElement } = edge;
    const about = [name, keyOf(from), keyOf(to), shape.join(), bytesPerElement, isWritten];
    const key = about.join(";");
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = systemReshard(system, { ...edge, isWritten });
    if (known.size >= mostEdges) known = new Map();
    known.set(key, found);
    return found;
  };
}
