import type { RunHead } from "#app/scene/graph";
import { useApp } from "../store-context.tsx";

/** Choice whether an edit in an open block applies to all equal blocks or to this one alone. */
export function RunScope({ run, tabIndex }: { readonly run: RunHead; readonly tabIndex?: number }) {
  const { key, label, together } = run;
  const isAlone = useApp((state) => state.singleRuns.has(key));
  const changeAlone = useApp((state) => state.changeAlone);
  if (together === undefined) return null;
  const now = isAlone
    ? `A change here changes ${label} alone`
    : `A change here changes all ${together} equal blocks`;
  const then = isAlone ? `Change all ${together}` : `Change ${label} alone`;
  return (
    <button
      type="button"
      className="run-scope"
      data-testid={`scope-${label}`}
      aria-pressed={!isAlone}
      aria-label={`${now}. ${then}.`}
      title={`${now}. Press: ${then.toLowerCase()}.`}
      tabIndex={tabIndex}
      onClick={() => changeAlone(key, !isAlone)}
    >
      {isAlone ? `1 of ${together}` : `×${together}`}
    </button>
  );
}
