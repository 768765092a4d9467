import { useEffect, useState } from "react";
import { useApp } from "./store-context.tsx";

/**
 * Calls `then` once, `milliseconds` after the first plan is compiled: on a slow network, preloading
 * must not compete with what the user waits for. `then` must keep its identity.
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
