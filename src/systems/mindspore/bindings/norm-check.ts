import { knownSize, type TracedTensor } from "#language/document/trace";

/**
 * Why MindSpore refuses a LayerNorm: an axis out of range, or weights whose shape is not that of
 * the input's dims from `begin_params_axis` on. `undefined` if it accepts it.
 */
export function normFault(
  [x, ...weights]: readonly (TracedTensor | undefined)[],
  [beginNorm, beginParams]: readonly [norm: number, params: number],
): string | undefined {
  const sizes = x?.shape?.map(knownSize);
  if (sizes === undefined) return undefined;
  const rank = sizes.length;
  for (const [name, axis] of [
    ["begin_norm_axis", beginNorm],
    ["begin_params_axis", beginParams],
  ] as const)
    if (axis < -1 || axis >= rank)
      return `the ${name} of LayerNorm must be in [-1, ${rank}), but it is ${axis}`;
  const wanted = sizes.slice(beginParams < 0 ? rank - 1 : beginParams);
  for (const each of weights) {
    const own = each?.shape?.map(knownSize);
    if (own === undefined || own.includes(undefined) || wanted.includes(undefined)) continue;
    // MindSpore compares only the leading dims of weights with more dims.
    if (own.slice(0, wanted.length).join() !== wanted.join())
      return `gamma and beta of LayerNorm have the shape of the input from begin_params_axis on, (${wanted.join(", ")}), not (${own.join(", ")})`;
  }
  return undefined;
}
