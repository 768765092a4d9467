import { memo } from "react";
import type { BoardPill } from "#app/scene/board";
import { drawn } from "#app/state";
import type { Compiled } from "#compile";
import { CollectiveSteps } from "../atoms/CollectiveSteps.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { redistributionSentence, stepsOf } from "../words.ts";
import { useBoardStop } from "./board-stops.ts";
import { ExposedSwatch } from "./ExposedSwatch.tsx";
import { useBoardLink } from "./use-board-link.ts";
import { useSend } from "./use-send.ts";

interface Props {
  readonly pill: BoardPill;
}

/**
 * Redistribution on the board. A press shows its steps; further presses show the others that the
 * pill stands for.
 */
export const BoardPillView = memo(function BoardPillView({ pill }: Props) {
  const { redistribution, others, tensor, steps, hasWords, numbers, exposed } = pill;
  const { x, y, width, height, lane } = pill;
  const sentence = useApp((state) => sentenceOf(drawn(state), redistribution));
  const isKept = useIsAsked("comm");
  const stop = useBoardStop(pill.id);
  const { light, pointing } = useBoardLink({ redistribution });
  const { isSelected, press } = useSend({ redistribution, others, tensor });
  return (
    <button
      type="button"
      className={`bpill ${lane} ${exposed === 0 ? "hid" : ""} ${isSelected ? "sel" : ""} ${light}`}
      data-testid={`redist-${redistribution}`}
      aria-pressed={isSelected}
      style={{ left: x, top: y, width, height }}
      onClick={press}
      {...pointing}
      {...stop}
    >
      <Spoken sentence={isKept ? bytesAsked : sentence}>
        <CollectiveSteps steps={steps} hasWords={hasWords} />
        {numbers !== "" && <span className="q">{isKept ? "?" : numbers}</span>}
        {exposed !== undefined && exposed > 0 && <ExposedSwatch share={exposed} />}
      </Spoken>
    </button>
  );
});

const sentences = new WeakMap<Compiled["program"], Map<number, string>>();

/** Sentence that describes a redistribution. */
function sentenceOf(compiled: Compiled | undefined, index: number): string {
  if (compiled === undefined) return "";
  const known = sentences.get(compiled.program) ?? new Map<number, string>();
  sentences.set(compiled.program, known);
  const before = known.get(index);
  if (before !== undefined) return before;
  const found = compiled.program.redistributions.find((each) => each.index === index);
  const said = found === undefined ? "" : redistributionSentence(found, stepsOf(compiled, found));
  known.set(index, said);
  return said;
}
