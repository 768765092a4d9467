import { useEffect, useState } from "react";
import { useApp } from "./store-context.tsx";

/**
 * Calls once, so many milliseconds after the first plan has been worked out: what is loaded ahead takes
 * nothing of a slow network from what is waited for. `then` is one function for good.
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
