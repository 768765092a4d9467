import { useMemo } from "react";
import { type DifferenceSign, type PlanDifference, planDifference } from "#app/scene/difference";
import { drawn } from "#app/state";
import { useApp } from "../store-context.tsx";
import { letterOf } from "./letters.ts";
import { VariantsButton } from "./VariantsButton.tsx";

const words: Readonly<Record<DifferenceSign, string>> = {
  "+": "only here",
  "−": "only in",
  "~": "changed",
};
const signs: readonly DifferenceSign[] = ["+", "−", "~"];

/** Legend of the difference marks with their counts, and the switch that hides them. */
export function DifferenceLegend() {
  const baseline = useApp((state) => state.baseline);
  const letter = useApp((state) => letterOf(baseline ? state.baselines.indexOf(baseline) : -1));
  const isMarked = useApp((state) => state.marksDifference);
  const mark = useApp((state) => state.markDifference);
  const compiled = useApp(drawn);
  const before = baseline?.compiled;
  const difference = useMemo(
    () => (before && compiled && isMarked ? planDifference(before, compiled) : undefined),
    [before, compiled, isMarked],
  );
  if (baseline === undefined) return null;
  return (
    <div className="dlegend" data-testid="difference">
      <button
        type="button"
        className="btn line"
        aria-pressed={isMarked}
        title={`Mark what differs from ${letter}, ${baseline.name}`}
        onClick={() => mark(!isMarked)}
      >
        Marks against {letter}
      </button>
      <VariantsButton />
      {difference !== undefined && <Counts difference={difference} letter={letter} />}
    </div>
  );
}

interface CountsProps {
  readonly difference: PlanDifference;
  readonly letter: string;
}

function Counts({ difference: { lines }, letter }: CountsProps) {
  if (lines.length === 0) return <span className="mut">nothing differs</span>;
  return signs.map((sign) => {
    const own = lines.filter((line) => line.sign === sign);
    const count = own.reduce((sum, line) => sum + line.count, 0);
    if (count === 0) return null;
    const where = sign === "−" ? `${words[sign]} ${letter}` : words[sign];
    return (
      <span key={sign} title={own.map(({ name, text }) => `${name}: ${text}`).join("\n")}>
        <i className="dmark" aria-hidden="true">
          {sign}
        </i>
        {count} {where}
      </span>
    );
  });
}
