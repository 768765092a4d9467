import type { LessonStep, World } from "#app/lessons";
import { hasOnlyFingers, useScreen } from "../screen.ts";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly how: LessonStep["how"] | undefined;
  readonly world: World | undefined;
}

/** The hand's moves at a step of a lesson, for a mouse, a finger or keys. */
export function LessonHow({ how, world }: Props) {
  const hasFingers = useScreen() === "phone" || hasOnlyFingers();
  if (how === undefined) return null;
  return (
    <p>
      <SentenceView sentence={hasFingers ? how.touch : how.wide} world={world} />
    </p>
  );
}
