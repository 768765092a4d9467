import { type ReactNode, useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";
import { useApp } from "./store-context.tsx";

/** Time in milliseconds after which the content loads even if the plan is not compiled yet. */
const patienceMilliseconds = 2_500;

interface Props {
  readonly children: ReactNode;
  /** Content until the children are loaded. */
  readonly fallback?: ReactNode;
}

/**
 * Content that a first look does not need: its code is loaded when the plan is drawn, so that
 * nothing competes with loading the compiler.
 */
export function WhenDrawn({ children, fallback = null }: Props) {
  const isWorkedOut = useApp((state) => state.compiled.kind !== "compiling");
  const isLoaded = useApp((state) => state.isCompilerLoaded);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (isDrawn) return;
    const show = () => setDrawn(true);
    if (isWorkedOut) return afterPaint(show);
    if (!isLoaded) return;
    const handle = setTimeout(show, patienceMilliseconds);
    return () => clearTimeout(handle);
  }, [isWorkedOut, isLoaded, isDrawn]);
  return isDrawn ? children : fallback;
}
