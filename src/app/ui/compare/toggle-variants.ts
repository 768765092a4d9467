import type { AppState } from "#app/state";

/** Shows the variants beside the plan, or ends that; a plan without a baseline is pinned as one first. */
export function toggleVariants(state: AppState): void {
  const { areVariantsShown, baseline, pinBaseline, showVariants } = state;
  if (!areVariantsShown && baseline === undefined) pinBaseline();
  showVariants(!areVariantsShown);
}
