import { useEffect } from "react";
import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import { type Alternative, type AlternativesStatus, isStale } from "#app/state";
import type { Compiled } from "#compile";
import type { Redistribution } from "#core/program";
import { openQuestion } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** Most operators of a plan that is searched unasked: every trial compiles the whole text. */
const operatorsAtOnce = 150;

/** Time in milliseconds without a change after which the search begins. */
const restFor = 600;

/** Up to two edits that make a redistribution cheaper; a press applies one. */
export function Alternatives({ compiled, redistribution }: Props) {
  const status = useApp((state) => state.alternatives);
  const stale = useApp(isStale);
  const look = useApp((state) => state.lookForAlternatives);
  const sendsNothing = redistribution.bytes === 0;
  const isSmall = compiled.graph.operators.length <= operatorsAtOnce;
  // While a lesson asks a question, cheaper ways are hidden: they are mostly its answer.
  const isAsked = useApp((state) => openQuestion(state) !== undefined);
  const isOld = useApp(({ document }) => document.source !== compiled.source);
  const isSearched = isSmall && !stale && !sendsNothing && !isAsked && !isOld;
  useEffect(() => {
    if (!isSearched) return;
    const handle = setTimeout(() => void look(redistribution), restFor);
    return () => clearTimeout(handle);
  }, [isSearched, look, redistribution]);
  if (sendsNothing || stale || isAsked) return null;
  const isOwn = status.source === compiled.source && status.redistribution === redistribution.index;
  const own = isOwn && status.kind !== "none" ? status : undefined;
  return (
    <section className="alternatives" aria-label="Cheaper ways" data-testid="alternatives">
      <h3>Cheaper ways</h3>
      {own === undefined && !isSmall && (
        <button type="button" className="btn" onClick={() => void look(redistribution)}>
          Look for them
        </button>
      )}
      {own?.best.map((alternative) => (
        <AlternativeButton key={alternative.source} {...{ alternative, compiled }} />
      ))}
      {(own !== undefined || isSmall) && <p role="status">{searchText(own)}</p>}
    </section>
  );
}

function AlternativeButton({
  alternative,
  compiled,
}: {
  readonly alternative: Alternative;
  readonly compiled: Compiled;
}) {
  const take = useApp((state) => state.takeAlternative);
  const { label, weight, isWithout } = alternative;
  const deltas = [
    `time ${formatSecondsDelta(weight.seconds - compiled.cost.seconds)}`,
    `comm ${formatBytesDelta(weight.bytes - compiled.cost.bytes)}`,
    `memory ${formatBytesDelta(weight.peakBytes - compiled.memory.peakBytes)}`,
  ];
  const over = weight.peakBytes > compiled.hardware.memoryBytes;
  return (
    <button type="button" className="alternative" onClick={() => take(alternative)}>
      <b>{label}</b>
      <span>{isWithout ? "does without it" : "sends less"}</span>
      <span className="num">{deltas.join(", ")}</span>
      {over && <span className="over">more memory than a device has</span>}
    </button>
  );
}

function searchText(status: AlternativesStatus | undefined): string {
  if (status === undefined) return "";
  const { kind, tried, best } = status;
  switch (kind) {
    case "none":
      return "";
    case "looking":
      return best.length > 0 || tried > 0 ? `${tried} changes weighed so far` : "";
    case "failed":
      return "They could not be worked out.";
    case "done":
      if (tried === 0) return "No single strategy or placement here stands against it.";
      return best.length > 0
        ? `The best of ${tried} single changes, by the modelled time of the whole plan.`
        : `None of ${tried} single changes makes the whole plan take less time.`;
  }
}
