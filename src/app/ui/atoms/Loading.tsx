import { useApp } from "../store-context.tsx";

/** Stands where something follows from the text, until what works it out has been loaded. */
export function Loading() {
  const isLoaded = useApp((state) => state.isCompilerLoaded || state.compiled.kind !== "compiling");
  return isLoaded ? null : <span className="mut">loading</span>;
}
