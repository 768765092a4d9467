import type { LessonStep, World } from "#app/lessons";
import { hasOnlyFingers, useScreen } from "../screen.ts";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly how: LessonStep["how"] | undefined;
  readonly world: World | undefined;
}

/** How a step's moves are made: by mouse, by finger or by keys. */
export function LessonHow({ how, world }: Props) {
  const hasFingers = useScreen() === "phone" || hasOnlyFingers();
  if (how === undefined) return null;
  return (
    <p>
      <SentenceView sentence={hasFingers ? how.touch : how.wide} world={world} />
    </p>
  );
}
