import { useApp } from "../store-context.tsx";
import { useDesk } from "./use-desk.ts";

/**
 * Choice whether a plan may move inputs and parameters that the text places; a change starts the
 * planner again.
 */
export function FreePlaces() {
  const whatIf = useApp((state) => state.whatIf);
  const withDesk = useDesk();
  const { free: _, ...rest } = whatIf;
  const change = (isFree: boolean) =>
    withDesk((desk) => {
      void desk.tryValues(isFree ? { ...rest, free: ["placements"] } : rest);
    });
  return (
    <label className="planner-free">
      <input
        type="checkbox"
        data-testid="plan-free-places"
        checked={whatIf.free?.includes("placements") ?? false}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      Also move inputs and parameters that place(…) puts somewhere
    </label>
  );
}
