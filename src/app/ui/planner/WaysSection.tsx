import { useEffect, useState } from "react";
import { displayNames } from "#app/scene";
import { shown } from "#app/state";
import type { SplitOptionsStatus } from "#app/state/planning";
import { useApp } from "../store-context.tsx";
import { Progress } from "./Progress.tsx";
import { useDesk } from "./use-desk.ts";
import { WaysTable } from "./WaysTable.tsx";
import { waysOperator } from "./ways-operator.ts";

/** Ways to split one operator, each with the time of the best whole plan that uses it. */
export function WaysSection() {
  const ways = useApp((state) => state.ways);
  const [isOpen, setOpen] = useState(ways !== undefined);
  const operator = ways?.operator;
  useEffect(() => {
    if (operator !== undefined) setOpen(true);
  }, [operator]);
  return (
    <details
      className="planner-part"
      data-testid="plan-ways"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Other ways to split an operator</summary>
      {isOpen && <Ways ways={ways} />}
    </details>
  );
}

function Ways({ ways }: { readonly ways: SplitOptionsStatus | undefined }) {
  return (
    <div>
      <Chooser ways={ways} />
      {ways !== undefined && (
        <>
          <WaysProgress status={ways} />
          <WaysTable status={ways} />
          <Unavailable cuts={ways.unavailable} />
        </>
      )}
    </div>
  );
}

/** Choice of the operator; initially the selected one or the producer of the selected tensor. */
function Chooser({ ways }: { readonly ways: SplitOptionsStatus | undefined }) {
  const compiled = useApp(shown);
  const operators = compiled?.graph.operators;
  const names = compiled && displayNames(compiled);
  const selected = useApp(waysOperator);
  const [chosen, choose] = useState<string>();
  const withDesk = useDesk();
  const name = [chosen, ways?.operator, selected].find(
    (each) => each !== undefined && operators?.some((operator) => operator.name === each),
  );
  if (operators === undefined || name === undefined) return <p>There is no operator to split.</p>;
  return (
    <form
      className="planner-surveys"
      onSubmit={(event) => {
        event.preventDefault();
        withDesk((desk) => void desk.weighWays(name));
      }}
    >
      <label>
        Operator
        <select
          className="field mono"
          data-testid="ways-operator"
          value={name}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {operators.map((operator) => (
            <option key={operator.id} value={operator.name}>
              {names?.operator(operator.id) ?? operator.name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="btn line" data-testid="ways-weigh">
        Weigh its ways
      </button>
    </form>
  );
}

/** Progress of planning the ways, or the reason why there are none. */
function WaysProgress({ status }: { readonly status: SplitOptionsStatus }) {
  const { kind, note, done, total, operator } = status;
  if (kind === "done") return note === undefined ? null : <p>{note}</p>;
  const text = total === 0 ? "Looking for the best plan" : `${done} of ${total} ways planned`;
  const shared = { done, total, text, testId: "ways" };
  return (
    <Progress
      label={`Ways to split ${operator}`}
      {...shared}
      onStop={(desk) => desk.cancelWays()}
    />
  );
}

function Unavailable({ cuts }: { readonly cuts: readonly string[] }) {
  if (cuts.length === 0) return null;
  return (
    <div className="planner-unplanned">
      <h3>Not to be split so</h3>
      <ul>
        {cuts.map((cut) => (
          <li key={cut}>{cut}</li>
        ))}
      </ul>
    </div>
  );
}
