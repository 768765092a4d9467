import { useApp } from "../store-context.tsx";
import { letterOf } from "./letters.ts";

/** Letter and name of the baseline. */
export function BaselineName() {
  const name = useApp((state) => state.baseline?.name);
  const letter = useApp(({ baseline, baselines }) =>
    letterOf(baseline ? baselines.indexOf(baseline) : -1),
  );
  return (
    <span className="mut baseline-name" title={name}>
      {name === undefined ? "No baseline is pinned" : `Against ${letter}: ${name}`}
    </span>
  );
}
