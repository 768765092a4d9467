import type { ModuleClasses } from "#language/document/bindings";
import type { ParallelRecord } from "./record.ts";

/**
 * Keeps whole sizes where a text divides an attribute of a module by the size of a mesh, as for the
 * heads per rank: the board shows whole tensors.
 */
export function keepWholeSizes(record: ParallelRecord, modules: ModuleClasses): void {
  modules.hooks.watchers.push(({ owner, name, before, after, span }, context) => {
    if (before.kind !== "int" || after?.kind !== "int") return;
    const ratio = after.value > 0n ? before.value / after.value : 0n;
    const isShare = before.value === after.value * ratio && record.askedSizes.has(Number(ratio));
    if (!isShare) return;
    modules.hooks.beforeCalls(owner, (args) => {
      const held = new Set(owner.attributes.values());
      if (!record.styles.some(({ module }) => held.has(module))) return args;
      owner.attributes.set(name, before);
      if (!record.isNews(`whole ${owner.type.name}.${name}`)) return args;
      context.report({
        code: "torch/whole-tensors",
        severity: "info",
        message: `"${name}" stays ${before.value}: a ${ratio}th is what one rank has, and the board shows the whole`,
        span,
      });
      return args;
    });
  });
}
