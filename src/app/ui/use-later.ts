import { useEffect, useState } from "react";
import { useApp } from "./store-context.tsx";

/**
 * Calls `then` once, `milliseconds` after the first plan has been computed: preloading must not
 * take a slow network from what the user waits for. `then` must stay the same function.
 */
export function useLater(milliseconds: number, then: () => void): void {
  const isWorkedOut = useApp((state) => state.compiled.kind !== "compiling");
  const [isDue, setDue] = useState(false);
  if (isWorkedOut && !isDue) setDue(true);
  useEffect(() => {
    if (!isDue) return;
    const handle = setTimeout(then, milliseconds);
    return () => clearTimeout(handle);
  }, [isDue, milliseconds, then]);
}
