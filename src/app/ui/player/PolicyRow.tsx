import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { crossoverText, formatBytes, formatSeconds, ratioText } from "#app/scene/text";
import { shown } from "#app/state";
import { type OwnPlan, type PolicyOutcome, sameAsOurs } from "#compile";
import { capitalized } from "#core/diagnostics";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";
import { PolicyLists } from "./PolicyLists.tsx";

type Planned = Extract<PolicyOutcome, { readonly kind: "planned" }>;
type Declined = Extract<PolicyOutcome, { readonly kind: "declined" }>;

/** State and actions of a sequence of steps that can be chosen. */
interface Choice {
  readonly isChosen: boolean;
  /** Whether the compiled program is not of the present text. */
  readonly isStale: boolean;
  readonly choose: () => void;
  readonly look: (isLooked: boolean) => void;
}

interface OwnProps {
  readonly plan: OwnPlan;
  /** Default plan of the front. */
  readonly own: OwnPlan;
  readonly isOnly: boolean;
  readonly choice: Choice;
}

/** Plan of Shardboard's own Pareto front. */
export function OwnRow({ plan, own, isOnly, choice }: OwnProps) {
  const words = stepWords(plan.steps);
  const name = plan.isDefault
    ? "Ours"
    : `Ours, ${plan.sent > own.sent ? "fewer bytes" : "fewer steps"}`;
  return (
    <>
      <SequenceRow
        name={plan.isDefault && !isOnly ? "Ours, the default" : name}
        hint={words || "Nothing is sent"}
        figures={plan}
        own={own}
        choice={choice}
        testId={plan.isDefault ? "sequence-default" : `sequence-${plan.sent}`}
      />
      {!plan.isDefault && <Why id={`${plan.sent}`} text={`${words}.`} />}
    </>
  );
}

interface Props {
  readonly outcome: Planned;
  /** Shardboard's default plan. */
  readonly own: OwnPlan | undefined;
  readonly choice: Choice;
}

/** The steps that another system takes on the edge, their costs, and why they differ. */
export function PolicyRow({ outcome, own, choice }: Props) {
  // The list of its primitives is only of use to programs written for that system.
  const isWritten = useApp((state) => shown(state)?.system?.name === outcome.policy);
  const { policy, title: name, note, steps, bytes, seconds, why, isUnfit } = outcome;
  const sent = steps.filter(({ collective }) => collective !== "slice").length;
  const words = stepWords(steps);
  const isSame = why === sameAsOurs;
  const told = [
    `${words || "Nothing is sent"}.`,
    why,
    ...(isUnfit === true ? ["It cuts an uneven dim into other blocks: it cannot be chosen."] : []),
    ...[crossoverText(outcome) ?? []].flat(),
  ];
  return (
    <>
      <SequenceRow
        name={isSame ? `${name}, as ours` : name}
        hint={isSame ? `${words}. ${note}` : note}
        figures={{ sent, bytes, seconds }}
        own={own}
        choice={isUnfit === true ? undefined : choice}
        testId={`policy-${policy}`}
      />
      {!isSame && <Why id={policy} text={told.join(" ")} />}
      {isWritten && <PolicyLists outcome={outcome} columns={4} />}
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly hint: string;
  readonly figures: Pick<OwnPlan, "sent" | "bytes" | "seconds">;
  readonly own: OwnPlan | undefined;
  /** `undefined` if the sequence cannot be chosen. */
  readonly choice: Choice | undefined;
  readonly testId: string;
}

/** Row of a sequence: its steps, bytes and time, each with the ratio to the default plan's. */
function SequenceRow({ name, hint, figures, own, choice, testId }: RowProps) {
  const { sent, bytes, seconds } = figures;
  const { isChosen = false, isStale = true, choose, look } = choice ?? {};
  return (
    <tr
      className={isChosen ? "on seq" : "mut seq"}
      data-testid={testId}
      data-bytes={bytes}
      data-chosen={isChosen}
      onPointerEnter={() => look?.(true)}
      onPointerLeave={() => look?.(false)}
    >
      <td title={hint}>
        {choice === undefined ? (
          name
        ) : (
          <button
            type="button"
            className="seq-btn"
            aria-pressed={isChosen}
            disabled={isStale}
            onClick={choose}
            onFocus={() => look?.(true)}
            onBlur={() => look?.(false)}
          >
            <span className="seq-mark">{isChosen && <Icon icon={Check} size={12} />}</span>
            {name}
          </button>
        )}
      </td>
      <Figure text={`${sent}`} ratio={own && ratioText(sent, own.sent, "steps")} />
      <Figure text={formatBytes(bytes)} ratio={own && ratioText(bytes, own.bytes, "bytes")} />
      <Figure
        text={formatSeconds(seconds)}
        ratio={own && ratioText(seconds, own.seconds, "time")}
      />
    </tr>
  );
}

function Figure({ text, ratio }: { readonly text: string; readonly ratio: string | undefined }) {
  return (
    <td className="n">
      {text}
      {ratio !== undefined && <small>{ratio}</small>}
    </td>
  );
}

interface DeclinedProps {
  /** Systems that have no plan, all for one reason. */
  readonly outcomes: readonly Declined[];
}

/** Systems without a plan for the edge, with their common reason. */
export function DeclinedRow({ outcomes }: DeclinedProps) {
  const [first] = outcomes;
  if (first === undefined) return null;
  const { policy, note, reason } = first;
  const names = outcomes.map(({ title }) => title);
  const others = names.slice(0, -1).join(", ");
  const name: ReactNode = (
    <>
      {others !== "" && `${others} and `}
      <span className="nowrap">{names.at(-1)}: no plan</span>
    </>
  );
  return (
    <>
      <tr className="mut">
        <td title={note} colSpan={4}>
          {name}
        </td>
      </tr>
      <Why id={policy} text={`${capitalized(reason)}.`} />
    </>
  );
}

/** Steps as text, such as `all-gather d0, then slice d1`. */
function stepWords(steps: Planned["steps"]): string {
  return steps.map(({ words, axes }) => [words, ...axes].join(" ")).join(", then ");
}

function Why({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <tr className="policy-why mut" data-testid={`why-${id}`}>
      <td colSpan={4}>{text}</td>
    </tr>
  );
}
