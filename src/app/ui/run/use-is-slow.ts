import { useEffect, useState } from "react";

/** Work is slow from here on: it shows how far it is and can be cancelled, in milliseconds. */
const slowFrom = 200;

/** Whether something has been running for longer than one waits without a word. */
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
