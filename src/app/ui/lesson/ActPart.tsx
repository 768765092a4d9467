import { Check, Circle, Star } from "lucide-react";
import { useEffect } from "react";
import { type Act, type Grade, type Score, scoreWords, type World } from "#app/lessons";
import { Icon } from "../atoms/Icon.tsx";
import { keyed } from "../drawing/keyed.ts";
import { RunButton } from "../run/RunButton.tsx";
import { useApp } from "../store-context.tsx";
import { useLessonDesk } from "./lesson-desk.ts";
import { SentenceView } from "./SentenceView.tsx";

interface Props {
  readonly act: Act;
  readonly grade: Grade | undefined;
  /** The score of a challenge, if the plan on the board meets its goal. */
  readonly score: Score | undefined;
  /** Whether the goal has been met, now or before. */
  readonly isMet: boolean;
  readonly isElsewhere: boolean;
  readonly world: World | undefined;
}

/**
 * Milliseconds without a key after which a line counts as finished: half a line may meet a goal by
 * chance.
 */
const typingPause = 1_000;

/** The task on the board and its progress: each condition with its value now. */
export function ActPart({ act, grade, score, isMet, isElsewhere, world }: Props) {
  const { meet } = useLessonDesk();
  const isTyped = useApp(({ history }) => history.typedAt !== undefined);
  const stars = score?.isBelowBound === true ? undefined : score?.stars;
  const share = score?.score;
  useEffect(() => {
    if (grade?.isMet !== true) return;
    const give = () => meet(stars === undefined ? undefined : { stars, share: share ?? 0 });
    if (!isTyped) return give();
    const timer = setTimeout(give, typingPause);
    return () => clearTimeout(timer);
  }, [grade, isTyped, stars, share, meet]);
  return (
    <section className="lesson-act" aria-label="Task">
      <p className="lesson-task">
        <SentenceView sentence={act.task} world={world} />
      </p>
      {isElsewhere ? <Elsewhere /> : <Conditions grade={grade} isMet={isMet} />}
      {act.solved?.isEqual === true && !isElsewhere && (
        // Absent on a narrow page, which shows it elsewhere.
        <div className="lesson-row">
          <RunButton />
        </div>
      )}
      {score !== undefined && <Stars score={score} />}
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

/** Announced at once: the goal is met, or the first condition that is not and its present value. */
function Conditions({ grade, isMet }: Pick<Props, "grade" | "isMet">) {
  if (grade === undefined) return <p className="mut">Working it out</p>;
  const said = grade.isMet
    ? "Met."
    : `Not yet: ${grade.first?.words ?? "the goal cannot be read"}.`;
  return (
    <>
      <p role="status" className="lesson-verdict" data-testid="lesson-grade" data-met={grade.isMet}>
        <b>{said}</b>
        {isMet && !grade.isMet && <span className="mut"> It was met before.</span>}
      </p>
      {/* A single condition has been announced already. */}
      {grade.conjuncts.length > 1 && (
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
      )}
    </>
  );
}

const all = [1, 2, 3] as const;

/** How good a plan is that meets the goal of a challenge: by stars, and in words with both numbers. */
function Stars({ score }: { readonly score: Score }) {
  const { stars, isBelowBound } = score;
  return (
    <p className="lesson-score" role="status" data-testid="lesson-score" data-stars={stars}>
      {!isBelowBound && (
        <span className="lesson-stars">
          {all.map((star) => (
            <span key={star} data-full={star <= stars}>
              <Icon icon={Star} size={16} />
            </span>
          ))}
          <b>{stars === 1 ? "1 star" : `${stars} stars`} of 3.</b>
        </span>
      )}{" "}
      {scoreWords(score)}
    </p>
  );
}
