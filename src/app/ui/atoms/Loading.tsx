import { useApp } from "../store-context.tsx";

/** A placeholder for results of the text, until their code is loaded. */
export function Loading() {
  const isLoaded = useApp((state) => state.isCompilerLoaded || state.compiled.kind !== "compiling");
  return isLoaded ? null : <span className="mut">loading</span>;
}
