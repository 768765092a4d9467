import { Check, Circle } from "lucide-react";
import { useEffect } from "react";
import type { Act, Grade, World } from "#app/lessons";
import { Icon } from "../atoms/Icon.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useLessonDesk } from "./lesson-desk.ts";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly act: Act;
  readonly grade: Grade | undefined;
  /** Whether the goal has been met, now or before. */
  readonly isMet: boolean;
  readonly isElsewhere: boolean;
  readonly world: World | undefined;
}

/** What is to be done on the board, and how far it is done: each condition with its value now. */
export function ActPart({ act, grade, isMet, isElsewhere, world }: Props) {
  const { meet } = useLessonDesk();
  useEffect(() => {
    if (grade?.isMet === true && !isMet) meet();
  }, [grade, isMet, meet]);
  return (
    <section className="lesson-act" aria-label="Task">
      <p className="lesson-task">
        <SentenceView sentence={act.task} world={world} />
      </p>
      {isElsewhere ? <Elsewhere /> : <Conditions grade={grade} isMet={isMet} />}
    </section>
  );
}

function Elsewhere() {
  const { reset } = useLessonDesk();
  return (
    <p role="status">
      The board shows another plan.{" "}
      <button type="button" className="btn line" onClick={reset}>
        Back to this step
      </button>
    </p>
  );
}

/** Said at once: met, or the first condition that is not and its value now. */
function Conditions({ grade, isMet }: Pick<Props, "grade" | "isMet">) {
  if (grade === undefined) return <p className="mut">Working it out</p>;
  const said = grade.isMet
    ? "Met."
    : `Not yet: ${grade.first?.words ?? "the goal cannot be read"}.`;
  return (
    <>
      <p role="status" data-testid="lesson-grade" data-met={grade.isMet}>
        <b>{said}</b>
        {isMet && !grade.isMet && <span className="mut"> It was met before.</span>}
      </p>
      <ul className="lesson-conditions">
        {keyed(grade.conjuncts).map(({ key, item }) => (
          <li key={key} data-met={item.isMet}>
            <Icon icon={item.isMet ? Check : Circle} size={14} />
            <span title={item.condition}>
              <span className="vh">{item.isMet ? "Met: " : "Not met: "}</span>
              {item.words}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
