import { Minus } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import type { Stations } from "./use-stops.ts";

/** The stations of a talk by number; keys 1 to 9 go to the first nine. */
export function StationList({ stations }: { readonly stations: Stations }) {
  const { count, at, areOfLesson, goTo } = stations;
  const store = useAppStore();
  const names = useApp((state) => state.stations);
  if (count === 0) return null;
  const what = areOfLesson ? "Step of the lesson" : "Station";
  const nameOf = (each: number) => {
    const { tensor, panel } = (areOfLesson ? undefined : names[each]) ?? {};
    return [`${what} ${each + 1}`, tensor ?? panel].filter(Boolean).join(": ");
  };
  return (
    <>
      <fieldset className="present-stations">
        <legend className="vh">{areOfLesson ? "Steps of the lesson" : "Stations"}</legend>
        {Array.from({ length: count }, (_, each) => each).map((each) => (
          <button
            key={each}
            type="button"
            className="btn num"
            aria-label={nameOf(each)}
            title={nameOf(each)}
            aria-current={each === at ? "step" : undefined}
            onClick={() => goTo(each)}
          >
            {each + 1}
          </button>
        ))}
      </fieldset>
      {!areOfLesson && (
        <IconButton
          icon={Minus}
          size={24}
          name={`Leave station ${at + 1} out`}
          onClick={() => store.getState().dropStation(at)}
        />
      )}
    </>
  );
}
