import { Check, CircleDashed } from "lucide-react";
import { useState } from "react";
import { formatBytes, formatSeconds, heldFormula, timeFormula } from "#app/scene";
import {
  differingOperators,
  type FoundPlan,
  gainText,
  isProven,
  provenSentence,
  whatIfText,
} from "#app/state";
import { capitalized } from "#core/diagnostics";
import { Icon } from "../atoms/Icon.tsx";
import { FigureButton } from "../formula/FigureButton.tsx";
import { FormulaView } from "../formula/FormulaView.tsx";
import { useApp } from "../store-context.tsx";
import { Changes } from "./Changes.tsx";
import { useDesk } from "./use-desk.ts";

/** What a plan takes beside the text's own, how far that is proven, and what it changes. */
export function Found(found: FoundPlan) {
  const { planned, whatIf, isStopped = false } = found;
  const { before, seconds, model, notes, pins } = planned;
  const isSure = isProven(planned);
  const tried = whatIfText(whatIf);
  const [isOpened, open] = useState(false);
  return (
    <>
      <p className="planner-time">
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
        <span className="gain">{gainText(planned)}</span>
      </p>
      {isOpened && <FormulaView formula={timeFormula(planned)} />}
      <p className={isSure ? "good" : ""}>
        <Icon icon={isSure ? Check : CircleDashed} size={14} />
        <span>{provenSentence(planned, isStopped)}.</span>
      </p>
      {tried !== "" && (
        <p data-testid="plan-tried">
          What if: {tried}.{planned.asNamed === undefined && " Apply writes that too."}
        </p>
      )}
      <AsNamed {...found} />
      <Beside {...found} />
      <p>
        Time is the model of the cost bar, on {model}: compute, then communication, without overlap.
      </p>
      <Memory {...planned} />
      {pins.length > 0 && (
        <p>
          Pinned: <code>{pins.join(", ")}</code>
        </p>
      )}
      <Patterns patterns={planned.patterns} />
      <Changes changes={planned.changes} />
      {notes.map((note) => (
        <p key={note}>{capitalized(note)}.</p>
      ))}
      <Apply {...found} />
    </>
  );
}

/** What the fullest device holds, which opens into its parts. */
function Memory({ bytes, held }: Pick<FoundPlan["planned"], "bytes" | "held">) {
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
      {isOpened && <FormulaView formula={heldFormula(held)} />}
    </>
  );
}

/** The names that parts of the plan have, each with what it was recognised by. */
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

/** Of other links than those of the machine, where no word of the text reaches them. */
function AsNamed({ planned: { asNamed } }: FoundPlan) {
  if (asNamed === undefined) return null;
  return (
    <p data-testid="plan-as-named">
      The text has no place for the speed of its links: Apply writes the plan alone. On the machine
      as it is it takes {formatSeconds(asNamed.seconds)}.
    </p>
  );
}

/** So many names stand in the sentence. */
const mostNames = 4;

/** What became of the plan that was found before. */
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
  const { of, planned } = found;
  const source = useApp((state) => state.document.source);
  const undo = useApp((state) => state.undo);
  const withDesk = useDesk();
  if (planned.source === undefined) return null;
  if (planned.source === of) return <p>The text says this plan already.</p>;
  const apply = () => withDesk((desk) => desk.apply(found));
  const isApplied = source === planned.source;
  return (
    <div className="planner-buttons">
      {isApplied ? (
        <>
          <span>Written into the text.</span>
          <button type="button" className="btn line" data-testid="plan-undo" onClick={undo}>
            Undo
          </button>
        </>
      ) : (
        <button type="button" className="btn solid" data-testid="plan-apply" onClick={apply}>
          Apply
        </button>
      )}
    </div>
  );
}
