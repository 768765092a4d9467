import type { AppState } from "#app/state";

/**
 * Shows or hides the side-by-side variants; without a baseline the present plan is pinned first.
 */
export function toggleVariants(state: AppState): void {
  const { areVariantsShown, baseline, pinBaseline, showVariants } = state;
  if (!areVariantsShown && baseline === undefined) pinBaseline();
  showVariants(!areVariantsShown);
}
