import { useEffect, useState } from "react";

/** Milliseconds after which work shows its progress and can be cancelled. */
const slowFrom = 200;

/** Whether work has been running for longer than that. */
export function useIsSlow(isRunning: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isRunning) return;
    const handle = setTimeout(() => setSlow(true), slowFrom);
    return () => {
      clearTimeout(handle);
      setSlow(false);
    };
  }, [isRunning]);
  return isRunning && isSlow;
}
