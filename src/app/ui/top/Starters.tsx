import { lazy, Suspense } from "react";

const StarterChoices = lazy(async () => ({
  default: (await import("./StarterChoices.tsx")).StarterChoices,
}));

/** Where there is no program yet: how one begins. */
export function Starters() {
  return (
    <Suspense fallback={null}>
      <StarterChoices />
    </Suspense>
  );
}
