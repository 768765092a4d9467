import { useEffect } from "react";
import type { PartEffect, PartRow, ReplacedLine } from "#app/engine";
import { displayNames } from "#app/scene";
import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import { shown } from "#app/state";
import type { FoundPlan, PartsStatus } from "#app/state/planning";
import { useIsAsked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { togetherText } from "./parts-together.ts";
import { useDesk } from "./use-desk.ts";

/** Most parts in the list until the user asks for all. */
const mostRows = 12;

/** Changes of a plan by module; each part has its effect and can be left out. */
export function PlanParts({ found }: { readonly found: FoundPlan }) {
  const status = usePartsOf(found);
  const withDesk = useDesk();
  if (status === undefined) return null;
  const { parts, left, note } = status;
  if (note !== undefined) return <p className="mut">{note}</p>;
  if (parts.length === 0) return <p className="mut">Weighing what each part brings …</p>;
  const take = (key: string, isTaken: boolean) => {
    const next = new Set(left);
    if (isTaken) next.delete(key);
    else next.add(key);
    withDesk((desk) => void desk.weighParts(found, next));
  };
  const row = (part: PartRow) => (
    <Row
      key={part.key}
      part={part}
      effect={status.effects.get(part.key)}
      isTaken={!left.has(part.key)}
      onTake={(isTaken) => take(part.key, isTaken)}
    />
  );
  const more = parts.slice(mostRows);
  const together = togetherText(status, found.planned.before);
  return (
    <section
      className="planner-parts"
      aria-label="Parts of the plan"
      data-testid="plan-parts"
      aria-busy={status.kind === "running"}
    >
      <ul>{parts.slice(0, mostRows).map(row)}</ul>
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <ul>{more.map(row)}</ul>
        </details>
      )}
      {together !== undefined && <p className="mut">{together}</p>}
      <Gone gone={status.mixed?.gone ?? []} />
    </section>
  );
}

/** Parts of a plan with their effects, whose computation starts when they are shown. */
function usePartsOf(found: FoundPlan): PartsStatus | undefined {
  const parts = useApp((state) => state.parts);
  const withDesk = useDesk();
  const { of, planned, whole = planned.source } = found;
  const isWeighed = parts?.of === of && parts.whole === whole;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan alone is weighed anew
  useEffect(() => {
    if (!isWeighed) withDesk((desk) => void desk.weighParts(found, new Set()));
  }, [of, whole, isWeighed]);
  return isWeighed ? parts : undefined;
}

interface RowProps {
  readonly part: PartRow;
  readonly effect: PartEffect | undefined;
  readonly isTaken: boolean;
  readonly onTake: (isTaken: boolean) => void;
}

/** Name of a part: the module's, or the operator card's for an operator outside all modules. */
function useSaidPart({ key, operators }: PartRow): string {
  const compiled = useApp(shown);
  const said = compiled && displayNames(compiled);
  const names = new Map(compiled?.graph.operators.map(({ id, name }) => [id, name]));
  const isOperator = operators.length > 0 && operators.every((id) => names.get(id) === key);
  const [first] = operators;
  return isOperator && first !== undefined ? (said?.operator(first) ?? key) : key;
}

function Row({ part, effect, isTaken, onTake }: RowProps) {
  const { key, words, count, operators } = part;
  const name = useSaidPart(part);
  const link = useApp((state) => state.linkOperators);
  const unlink = useApp((state) => state.linkParts);
  const isKept = useIsAsked("comm");
  const enter = () => link(key, operators);
  const leave = () => unlink(undefined);
  return (
    <li
      data-testid="plan-part"
      data-key={key}
      data-seconds={effect?.seconds}
      data-taken={isTaken}
      onPointerEnter={enter}
      onPointerLeave={leave}
      onFocus={enter}
      onBlur={leave}
    >
      <label>
        <input
          type="checkbox"
          checked={isTaken}
          onChange={(event) => onTake(event.currentTarget.checked)}
        />
        <span className="key">
          <code title={key}>{name}</code>
          {count > 1 && ` ×${count}`}
        </span>
        <span className="val">{effect === undefined ? "…" : timeText(effect)}</span>
        <small>{words}</small>
        <small className="val">{effect === undefined ? "" : sizesText(effect, isKept)}</small>
      </label>
    </li>
  );
}

function timeText({ seconds }: PartEffect): string {
  return formatSecondsDelta(seconds);
}

/** @param isKept whether a lesson asks how much is sent */
function sizesText({ bytes, sentBytes }: PartEffect, isKept: boolean): string {
  return `mem ${formatBytesDelta(bytes)}, comm ${isKept ? "?" : formatBytesDelta(sentBytes)}`;
}

/** Lines of the user's text that the plan changes or removes. */
function Gone({ gone }: { readonly gone: readonly ReplacedLine[] }) {
  if (gone.length === 0) return null;
  return (
    <div className="planner-gone" data-testid="plan-gone">
      <h3>Lines of yours that change or go</h3>
      <ul>
        {gone.map(({ line, text, why }) => (
          <li key={line}>
            Line {line}, <code>{text}</code>: {why}.
          </li>
        ))}
      </ul>
    </div>
  );
}
