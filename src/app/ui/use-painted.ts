import { startTransition, useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";

/** Value with a delay: a newer one is returned once the earlier render has been painted. */
export function usePainted<T>(value: T): T {
  const [painted, setPainted] = useState<T>(() => value);
  useEffect(() => {
    if (Object.is(painted, value)) return;
    return afterPaint(() => startTransition(() => setPainted(() => value)));
  }, [painted, value]);
  return painted;
}
