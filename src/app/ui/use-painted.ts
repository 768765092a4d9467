import { startTransition, useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";

/**
 * A value as the page shows it: a newer one follows once the drawing of the older one has been
 * painted.
 */
export function usePainted<T>(value: T): T {
  const [painted, setPainted] = useState<T>(() => value);
  useEffect(() => {
    if (Object.is(painted, value)) return;
    return afterPaint(() => startTransition(() => setPainted(() => value)));
  }, [painted, value]);
  return painted;
}
