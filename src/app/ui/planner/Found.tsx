import { Check, CircleDashed } from "lucide-react";
import { formatBytes, formatSeconds } from "#app/scene";
import { gainText, isProven, type Planned, provenSentence } from "#app/state";
import { Sign } from "../atoms/Sign.tsx";
import { useApp } from "../store-context.tsx";
import { Changes } from "./Changes.tsx";

interface Props {
  readonly of: string;
  readonly planned: Planned;
}

/** What a plan takes beside the text's own, how far that is proven, and what it changes. */
export function Found({ of, planned }: Props) {
  const { before, seconds, bytes, model, notes, pins } = planned;
  const isSure = isProven(planned);
  return (
    <>
      <p className="planner-time">
        <span>{formatSeconds(before)} →</span>
        <b>{formatSeconds(seconds)}</b>
        <span className="gain">{gainText(planned)}</span>
      </p>
      <p className={isSure ? "good" : ""}>
        <Sign icon={isSure ? Check : CircleDashed} size={14} />
        <span>{provenSentence(planned)}.</span>
      </p>
      <p>
        Time is the model of the cost bar, on {model}: compute, then communication, without overlap.
        The fullest device holds {formatBytes(bytes)}.
      </p>
      {pins.length > 0 && (
        <p>
          Pinned: <code>{pins.join(", ")}</code>
        </p>
      )}
      <Changes changes={planned.changes} />
      {notes.map((note) => (
        <p key={note}>{note[0]?.toUpperCase() + note.slice(1)}.</p>
      ))}
      <Apply of={of} planned={planned} />
    </>
  );
}

function Apply({ of, planned }: Props) {
  const source = useApp((state) => state.document.source);
  const apply = useApp((state) => state.applyPlan);
  const undo = useApp((state) => state.undo);
  if (planned.source === undefined) return null;
  if (planned.source === of) return <p>The text says this plan already.</p>;
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
