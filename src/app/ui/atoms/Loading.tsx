import { useApp } from "../store-context.tsx";

/** Placeholder for compiled results until the compiler's code is loaded. */
export function Loading() {
  const isLoaded = useApp((state) => state.isCompilerLoaded || state.compiled.kind !== "compiling");
  return isLoaded ? null : <span className="mut">loading</span>;
}
