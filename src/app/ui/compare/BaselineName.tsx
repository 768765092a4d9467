import { useApp } from "../store-context.tsx";

/** What the plan is held against. */
export function BaselineName() {
  const name = useApp((state) => state.baseline?.name);
  return (
    <span className="mut baseline-name" title={name}>
      {name === undefined ? "No baseline is pinned" : `Baseline: ${name}`}
    </span>
  );
}
