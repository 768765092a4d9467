import type { CanvasLayout } from "#app/scene";
import type { Answer } from "./protocol.ts";

/** The worker's end: a layout that was sent last is not sent again. */
export function createLayoutShortener(): (answer: Answer) => Answer {
  let last: CanvasLayout | undefined;
  return (answer) => {
    if (!("layout" in answer) || answer.layout === undefined) return answer;
    if (answer.layout === last) return { ...answer, layout: "same" };
    if (answer.layout !== "same") last = answer.layout;
    return answer;
  };
}

/** The other end, one per worker: a layout that was not sent is the one before. */
export function createLayoutCompleter(): (answer: Answer) => Answer {
  let last: CanvasLayout | undefined;
  return (answer) => {
    if (!("layout" in answer) || answer.layout === undefined) return answer;
    if (answer.layout !== "same") {
      last = answer.layout;
      return answer;
    }
    if (last !== undefined) return { ...answer, layout: last };
    return { kind: "failed", id: answer.id, message: "a layout without its base" };
  };
}
