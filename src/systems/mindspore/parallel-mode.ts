const modes = ["semi_auto", "sharding_propagation", "recursive_programming"];

/**
 * Checks the mode of `AutoParallel`, one of three names (mindspore.md §6.1); `undefined` when it is
 * valid.
 */
export function checkParallelMode(
  mode: string | undefined,
): { readonly kind: "TypeError" | "ValueError"; readonly message: string } | undefined {
  if (mode === undefined) return { kind: "TypeError", message: "parallel_mode must be a text" };
  if (modes.includes(mode)) return undefined;
  const known = modes.map((each) => `'${each}'`).join(", ");
  return { kind: "ValueError", message: `parallel_mode must be one of ${known}, not '${mode}'` };
}
