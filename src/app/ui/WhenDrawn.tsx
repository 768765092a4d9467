import { type ReactNode, useEffect, useState } from "react";
import { afterPaint } from "./after-paint.ts";
import { useApp } from "./store-context.tsx";

/** A plan that takes longer to work out holds nothing else back. */
const patienceMilliseconds = 2_500;

interface Props {
  readonly children: ReactNode;
  /** Stands there until then. */
  readonly fallback?: ReactNode;
}

/**
 * Content with code of its own that a first look does not need: it is loaded when the plan is
 * drawn. Until the compiler is loaded, nothing else loads beside it.
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
