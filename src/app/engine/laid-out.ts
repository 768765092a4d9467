import type { CanvasLayout } from "#app/scene";
import type { Answer } from "./protocol.ts";

/** The worker's end: a layout that was sent last is not sent again. */
export function createLayoutShortener(): (answer: Answer) => Answer {
  let last: CanvasLayout | undefined;
  return (answer) => {
    if (answer.kind !== "laid-out" || answer.layout === undefined) return answer;
    const isSame = answer.layout === last;
    last = answer.layout;
    return isSame ? { kind: "laid-out", id: answer.id } : answer;
  };
}

/** The other end, one per worker: a layout that was not sent is the one before. */
export function createLayoutCompleter(): (answer: Answer) => Answer {
  let last: CanvasLayout | undefined;
  return (answer) => {
    if (answer.kind !== "laid-out") return answer;
    last = answer.layout ?? last;
    if (last !== undefined) return { kind: "laid-out", id: answer.id, layout: last };
    return { kind: "failed", id: answer.id, message: "a layout without its base" };
  };
}
