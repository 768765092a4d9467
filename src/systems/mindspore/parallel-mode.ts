const modes = ["semi_auto", "sharding_propagation", "recursive_programming"];

/** `AutoParallel` takes one of three modes; `undefined` when this is one (mindspore.md §6.1). */
export function checkParallelMode(
  mode: string | undefined,
): { readonly kind: "TypeError" | "ValueError"; readonly message: string } | undefined {
  if (mode === undefined) return { kind: "TypeError", message: "parallel_mode must be a text" };
  if (modes.includes(mode)) return undefined;
  const known = modes.map((each) => `'${each}'`).join(", ");
  return { kind: "ValueError", message: `parallel_mode must be one of ${known}, not '${mode}'` };
}
