import { allSteps } from "#app/scene";
import { type Frame, framesOf, ringFramesOf } from "#app/scene/player";
import { collectiveAt } from "#app/scene/text";
import type { AppState } from "#app/state";
import type { Compiled } from "#compile";

/** Frames of a redistribution as shown: hop by hop or at once. */
export function shownFrames(
  compiled: Compiled,
  index: number,
  hops: AppState["hops"],
): readonly Frame[] {
  return hops === "ring" ? ringFramesOf(compiled, index) : framesOf(compiled, index);
}

/** Moves the step view to a step of the program, by its place among all steps. */
export function goToPlace(
  state: AppState,
  compiled: Compiled,
  place: number,
  end: "first" | "move" | "last",
): void {
  const step = allSteps(compiled.program)[place];
  if (step === undefined) return;
  if (step.kind === "local") {
    const made = compiled.program.values.find(({ id }) => id === step.outputs[0])?.tensor;
    state.select({ operator: step.operator, ...(made !== undefined && { tensor: made }) });
    state.playStep(place);
    return;
  }
  const { redistributions } = compiled.program;
  const found = redistributions.find(({ index }) => index === step.reshard);
  if (found === undefined) return;
  state.select({ redistribution: found.index, tensor: found.tensor });
  const frames = shownFrames(compiled, found.index, state.hops);
  const own = frames.flatMap((frame, at) =>
    collectiveAt(compiled.program, found.index, frame.step)?.step === place ? [at] : [],
  );
  const [first = 0, final = first] = [own[0], own.at(-1)];
  const still = { first: first * 3, move: first * 3 + 1, last: final * 3 + 2 };
  state.showFrame(still[end]);
}
