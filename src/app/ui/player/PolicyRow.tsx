import { Fragment } from "react";
import { formatBytes, formatSeconds } from "#app/scene";
import { type PolicyOutcome, sameAsOurs, shown } from "#app/state";
import { FiguresRow } from "../atoms/FiguresTable.tsx";
import { useApp } from "../store-context.tsx";
import { PolicyLists } from "./PolicyLists.tsx";
import { systemNames } from "./system-words.ts";

type Planned = Extract<PolicyOutcome, { readonly kind: "planned" }>;
type Declined = Extract<PolicyOutcome, { readonly kind: "declined" }>;

interface Props {
  readonly outcome: Planned;
  /** Bytes of our own plan, received by the busiest device. */
  readonly ours: number;
}

/** What each policy is, where its name alone would promise too much. */
const notes = {
  shardy: "Shardy's own lowering of reshards; JAX itself still leaves the lowering to XLA",
  dtensor: "DTensor's greedy planner, without flattened meshes",
  mindspore: "MindSpore's own operators as it infers them, without AllToAll",
  nnscaler: "nnScaler's adapter between two layouts on the same devices",
} as const;

interface AlikeProps {
  /** Systems that take the same steps as ours. */
  readonly outcomes: readonly Planned[];
}

/** Systems that take the same steps as ours, in one row. */
export function AlikeRow({ outcomes }: AlikeProps) {
  if (outcomes.length === 0) return null;
  return (
    <FiguresRow
      tone="mut"
      name={
        <>
          {outcomes.map(({ policy, bytes, steps }, at) => {
            const isLast = at === outcomes.length - 1;
            return (
              <Fragment key={policy}>
                {at > 0 && (isLast ? " and " : ", ")}
                <span
                  className="nowrap"
                  title={`${stepWords(steps)}. ${notes[policy]}`}
                  data-testid={`policy-${policy}`}
                  data-bytes={bytes}
                >
                  {systemNames[policy]}
                  {isLast && ", as ours"}
                </span>
              </Fragment>
            );
          })}
        </>
      }
    />
  );
}

interface DeclinedProps {
  /** Systems that have no plan for the same reason. */
  readonly outcomes: readonly Declined[];
}

/** Systems without a plan of their own, with the reason that they share. */
export function DeclinedRow({ outcomes }: DeclinedProps) {
  const [first] = outcomes;
  if (first === undefined) return null;
  const { policy, reason } = first;
  const names = outcomes.map((outcome) => systemNames[outcome.policy]);
  const others = names.slice(0, -1).join(", ");
  return (
    <>
      <FiguresRow
        tone="mut"
        hint={notes[policy]}
        name={
          <>
            {others !== "" && `${others} and `}
            <span className="nowrap">{names.at(-1)}: no plan</span>
          </>
        }
      />
      <Why policy={policy} text={`${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`} />
    </>
  );
}

/** What another system would do on the same edge: its steps, what they cost, why they differ. */
export function PolicyRow({ outcome, ours }: Props) {
  // Its own primitives one by one are for who writes in its words.
  const isMindspore = useApp((state) => shown(state)?.system === "mindspore");
  const name = systemNames[outcome.policy];
  const hint = notes[outcome.policy];
  const { policy, steps, bytes, seconds, why } = outcome;
  const sent = steps.filter(({ collective }) => collective !== "slice");
  const times = Number((bytes / Math.max(ours, 1)).toPrecision(3));
  const count = `${sent.length} ${sent.length === 1 ? "step" : "steps"}`;
  const more = ours > 0 && bytes > ours ? `, ×${times}` : "";
  const words = stepWords(steps);
  const isSame = why === sameAsOurs;
  return (
    <>
      <FiguresRow
        tone="mut"
        name={isSame ? `${name}, as ours` : `${name}, ${count}${more}`}
        hint={isSame ? `${words}. ${hint}` : hint}
        figures={[formatBytes(bytes), formatSeconds(seconds)]}
        data-testid={`policy-${policy}`}
        data-bytes={bytes}
      />
      {!isSame && <Why policy={policy} text={`${words || "Nothing is sent"}. ${why}`} />}
      {isMindspore && <PolicyLists outcome={outcome} columns={3} />}
    </>
  );
}

/** `all-gather d0, then slice d1`. */
function stepWords(steps: Planned["steps"]): string {
  return steps.map(({ words, axes }) => [words, ...axes].join(" ")).join(", then ");
}

function Why({
  policy,
  text,
}: {
  readonly policy: PolicyOutcome["policy"];
  readonly text: string;
}) {
  return (
    <tr className="policy-why mut" data-testid={`why-${policy}`}>
      <td colSpan={3}>{text}</td>
    </tr>
  );
}
