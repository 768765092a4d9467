import type { ModuleClasses } from "#language/document/bindings";
import { bindArguments, hostFunction, itemsOf, none } from "#language/document/bindings/values";
import type { HostFunction } from "#language/python";
import type { ParallelRecord } from "./record.ts";

/** `checkpoint_wrapper(module)`: what the module makes is computed again. */
export function checkpointWrapper(record: ParallelRecord, modules: ModuleClasses): HostFunction {
  return hostFunction("checkpoint_wrapper", ([module]) => {
    if (modules.isModule(module?.value)) record.recomputed.push(module.value);
    return module?.value ?? none;
  });
}

/** `apply_activation_checkpointing(model, check_fn=…)`: all modules for which the function holds. */
export function applyCheckpointing(record: ParallelRecord, modules: ModuleClasses): HostFunction {
  const word = "apply_activation_checkpointing";
  return hostFunction(word, (args, context, span) => {
    const names = ["model", "checkpoint_wrapper_fn", "check_fn", "auto_wrap_policy"];
    const { bound } = bindArguments(names, args);
    const [model, check] = [bound.get("model"), bound.get("check_fn")];
    if (model === undefined || check === undefined) return none;
    const listed = context.getAttribute(model.value, "named_modules", span);
    for (const pair of context.iterate(context.call(listed, [], span), span)) {
      const [, module] = itemsOf(pair) ?? [];
      if (!modules.isModule(module)) continue;
      const holds = context.call(check.value, [{ value: module, span }], span);
      if (holds.kind === "bool" && holds.value) record.recomputed.push(module);
    }
    return none;
  });
}
