import { Check, CircleDashed } from "lucide-react";
import { useState } from "react";
import { formatBytes, formatSeconds, memoryFormula, timeFormula } from "#app/scene/text";
import {
  differingOperators,
  type FoundPlan,
  gainText,
  isProven,
  type PartsStatus,
  provenSentence,
  whatIfText,
} from "#app/state/planning";
import { capitalized } from "#core/diagnostics";
import { Icon } from "../atoms/Icon.tsx";
import { FigureButton } from "../formula/FigureButton.tsx";
import { FormulaView } from "../formula/FormulaView.tsx";
import { MarkedWords } from "../glossary/MarkedWords.tsx";
import { Word } from "../glossary/Word.tsx";
import { useApp } from "../store-context.tsx";
import { Changes } from "./Changes.tsx";
import { ForwardNote } from "./ForwardNote.tsx";
import { PlanParts } from "./PlanParts.tsx";
import { Sentences } from "./Sentences.tsx";
import { useDesk } from "./use-desk.ts";

/** Found plan: its figures beside the text's, its description, and the effect of each part. */
export function Found(found: FoundPlan) {
  const { planned, whatIf, isStopped = false } = found;
  const { pins, notes } = planned;
  const tried = whatIfText(whatIf);
  const { figures, isWeighed } = useFigures(found);
  return (
    <>
      <Time before={planned.before} figures={figures} isWeighed={isWeighed} />
      <Sentences sentences={figures.sentences} isWeighed={isWeighed} />
      {planned.isForward === true && <ForwardNote />}
      {!isStopped && <PlanParts found={found} />}
      <Gap {...found} />
      {tried !== "" && (
        <p data-testid="plan-tried">
          What if: {tried}.{planned.asNamed === undefined && " Apply writes that too."}
        </p>
      )}
      <AsNamed {...found} />
      <Beside {...found} />
      {pins.length > 0 && (
        <p>
          <Word term="pinned">Pinned</Word>: <code>{pins.join(", ")}</code>
        </p>
      )}
      {notes.map((note) => (
        <p key={note}>{capitalized(note)}.</p>
      ))}
      <Apply {...found} />
      <Memory {...figures} />
      <details className="planner-part" data-testid="plan-details">
        <summary>Every operator, and how patterns are recognised</summary>
        <div>
          <p>
            Time is the model of the cost bar, on {planned.model}: compute, and communication that
            no compute hides.
          </p>
          <Patterns patterns={planned.patterns} />
          <Changes changes={planned.changes} />
        </div>
      </details>
    </>
  );
}

type Figures = FoundPlan["planned"] | NonNullable<PartsStatus["mixed"]>;

/**
 * Figures of a plan, and whether they are those of the chosen parts, which may still be computed.
 */
interface Told {
  readonly figures: Figures;
  readonly isWeighed: boolean;
}

/** Time before and after; a press opens the formula. */
function Time({ before, figures, isWeighed }: Told & { readonly before: number }) {
  const [isOpened, open] = useState(false);
  const { seconds, communicationSeconds: exposedSeconds, hiddenSeconds } = figures;
  const sent = { exposedSeconds, communicationSeconds: exposedSeconds + hiddenSeconds };
  return (
    <>
      <p className="planner-time" aria-busy={!isWeighed}>
        <span>{formatSeconds(before)} →</span>
        <b>
          <FigureButton
            of={`${formatSeconds(seconds)} planned`}
            isOpen={isOpened}
            onPress={() => open(!isOpened)}
          >
            {formatSeconds(seconds)}
          </FigureButton>
        </b>
        <span className="gain">{gainText({ before, seconds })}</span>
      </p>
      {isOpened && <FormulaView formula={timeFormula({ ...figures, ...sent })} />}
    </>
  );
}

/**
 * Plan without the parts left out; `undefined` if no part is left out or the plan is not computed
 * yet.
 */
function useMixed({ of, planned, whole = planned.source }: FoundPlan) {
  const parts = useApp((state) => state.parts);
  const isOf = parts !== undefined && parts.of === of && parts.whole === whole;
  return isOf && parts.left.size > 0 ? parts.mixed : undefined;
}

/**
 * Figures to show: of the plan without the parts left out once it is computed, else of the whole
 * plan.
 */
function useFigures(found: FoundPlan): Told {
  const mixed = useMixed(found);
  const isWhole = useApp((state) => (state.parts?.left.size ?? 0) === 0);
  return { figures: mixed ?? found.planned, isWeighed: isWhole || mixed !== undefined };
}

/** Gap between the plan and the lower bound of all examined plans, as a bar and a sentence. */
function Gap(found: FoundPlan) {
  const { planned, isStopped = false } = found;
  const mixed = useMixed(found);
  const { bound } = planned;
  const { seconds } = mixed ?? planned;
  const isSure = mixed === undefined && isProven(planned);
  const isKnown = bound > 0 && seconds > 0 && Number.isFinite(seconds);
  return (
    <div className="planner-gap" data-testid="plan-gap">
      {isKnown && (
        <p className="planner-bound">
          <Word term="bound">Bound</Word>
          <span className="bar" aria-hidden="true">
            <i className="f-ink" style={{ width: `${Math.min(100, (100 * bound) / seconds)}%` }} />
          </span>
          <b>{(seconds / bound).toFixed(2)}×</b>
          <span>{formatSeconds(bound)}</span>
        </p>
      )}
      <p className={isSure ? "good" : ""}>
        <Icon icon={isSure ? Check : CircleDashed} size={14} />
        <span>
          <MarkedWords
            text={
              mixed === undefined
                ? `${provenSentence(planned, isStopped)}.`
                : `With all of its parts it takes ${formatSeconds(planned.seconds)}.`
            }
            terms={["proven", "bound", "gap"]}
          />
        </span>
      </p>
    </div>
  );
}

/** Memory of the fullest device; a press opens its parts. */
function Memory({ bytes, held }: Figures) {
  const [isOpened, open] = useState(false);
  return (
    <>
      <p>
        The fullest device holds{" "}
        <FigureButton
          of={`${formatBytes(bytes)} per device`}
          isOpen={isOpened}
          onPress={() => open(!isOpened)}
        >
          {formatBytes(bytes)}
        </FigureButton>
        .
      </p>
      {isOpened && <FormulaView formula={memoryFormula(held)} />}
    </>
  );
}

/** Names of known parallelism patterns in the plan, each with the evidence for it. */
function Patterns({ patterns }: Pick<FoundPlan["planned"], "patterns">) {
  if (patterns.length === 0) return null;
  return (
    <dl className="planner-patterns" data-testid="plan-patterns">
      {patterns.map(({ name, axes, by }) => (
        <div key={name}>
          <dt>
            {name} over {axes.join(", ")}
          </dt>
          <dd>{by}.</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Time of the plan on the machine as it is, if the plan assumes link speeds that the text cannot
 * state.
 */
function AsNamed({ planned: { asNamed } }: FoundPlan) {
  if (asNamed === undefined) return null;
  return (
    <p data-testid="plan-as-named">
      The text has no place for the speed of its links: Apply writes the plan alone. On the machine
      as it is it takes {formatSeconds(asNamed.seconds)}.
    </p>
  );
}

/** Most operator names in the sentence. */
const mostNames = 4;

/** Comparison with the plan that was found before. */
function Beside({ planned, beside }: FoundPlan) {
  if (beside === undefined) return null;
  const names = differingOperators(beside, planned);
  const few = names.slice(0, mostNames).join(", ");
  const more = names.length - mostNames;
  return (
    <p data-testid="plan-beside">
      The plan before took {formatSeconds(beside.seconds)}.{" "}
      {names.length === 0 ? (
        "This one splits every operator as it did."
      ) : (
        <>
          Split otherwise: <code>{few}</code>
          {more > 0 && ` and ${more} more`}.
        </>
      )}
    </p>
  );
}

function Apply(found: FoundPlan) {
  const { of, planned, whole = planned.source } = found;
  const source = useApp((state) => state.document.source);
  const left = useApp((state) => state.parts?.left.size ?? 0);
  const undo = useApp((state) => state.undo);
  const withDesk = useDesk();
  const mixed = useMixed(found);
  if (planned.source === undefined || whole === undefined) return null;
  if (whole === of) return <p>The text says this plan already.</p>;
  if (left > 0 && mixed === undefined) {
    return <p className="mut">Writing the plan without the parts left out …</p>;
  }
  const chosen = mixed === undefined ? whole : mixed.source;
  if (chosen === undefined) {
    return <p>The text has no words for the plan without these parts.</p>;
  }
  const apply = () =>
    withDesk((desk) => desk.apply({ ...found, whole, planned: { ...planned, source: chosen } }));
  const isWritten = source === chosen;
  return (
    <div className="planner-buttons">
      {isWritten && <span>Written into the text.</span>}
      {/* One button for both actions, so that it keeps the focus when pressed. */}
      <button
        key="press"
        type="button"
        className={isWritten ? "btn line" : "btn solid"}
        data-testid={isWritten ? "plan-undo" : "plan-apply"}
        onClick={isWritten ? undo : apply}
      >
        {isWritten ? "Undo" : "Apply"}
      </button>
    </div>
  );
}
