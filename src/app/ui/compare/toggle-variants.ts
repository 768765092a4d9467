import type { AppState } from "#app/state";

/**
 * Shows the variants beside the plan, or hides them; without any pinned plan, the present one is
 * pinned first.
 */
export function toggleVariants(state: AppState): void {
  const { areVariantsShown, baseline, pinBaseline, showVariants } = state;
  if (!areVariantsShown && baseline === undefined) pinBaseline();
  showVariants(!areVariantsShown);
}
