import { ChevronDown, ChevronRight } from "lucide-react";
import { type MouseEvent, useContext } from "react";
import { runCard, stackCard } from "#app/scene/card";
import { type BlockStack, labelParts, type RunHead } from "#app/scene/graph";
import { SpokenBehind } from "../atoms/Spoken.tsx";
import { useApp } from "../store-context.tsx";
import { CardPieces } from "./CardPieces.tsx";
import { RunScope } from "./RunScope.tsx";
import { useRovingNode } from "./roving.ts";

/**
 * Equal blocks as one stack of cards; its button, Enter or a double click opens the first block.
 */
export function StackNode({ id, stack }: { readonly id: string; readonly stack: BlockStack }) {
  const openRun = useApp((state) => state.openRun);
  const roving = useRovingNode(id);
  const { label, count, each, all, runs } = stack;
  const { rows, beside } = stackCard(stack);
  const [series, ...range] = labelParts(label);
  const behind = useContext(SpokenBehind);
  const open = () => {
    const [first] = runs;
    if (first !== undefined) openRun(first.key);
  };
  return (
    <div className="stack" data-testid={`block-${label}`}>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <div className="card stack-card">
        <button
          type="button"
          className="stack-open"
          aria-expanded="false"
          aria-label={`${label}, ${count === 1 ? "one block" : `${count} equal blocks`}: ${each}; ${all}. Open ${runs[0]?.label ?? label}. ${behind}`.trimEnd()}
          title={`Open ${runs[0]?.label ?? label}`}
          onClick={(event) => isFirstClick(event) && open()}
          {...roving}
        >
          <ChevronRight className="ico" size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
        <span className="stack-words" aria-hidden="true">
          <b>
            <i>{series}</i>
            {range.map((part) => (
              <i key={part}>{part}</i>
            ))}
          </b>
          <CardPieces of={rows.slice(1).flatMap(({ start }) => start)} />
        </span>
        <CardPieces of={beside} />
      </div>
    </div>
  );
}

/** Head of an open block; its button or a double click folds it. */
export function RunNode({ id, run }: { readonly id: string; readonly run: RunHead }) {
  const closeRun = useApp((state) => state.closeRun);
  const roving = useRovingNode(id);
  const { key, label, place, count, differsBy } = run;
  const said = runCard(run).rows.flatMap(({ start }) => start);
  if (differsBy !== undefined) {
    return (
      <div className="run-head fixed">
        <div className="run-words" data-testid={`block-${label}`} tabIndex={-1} data-node={id}>
          <CardPieces of={said} isLine />
        </div>
        <RunScope run={run} tabIndex={roving.tabIndex} />
      </div>
    );
  }
  const close = () => closeRun(key);
  return (
    <div className="run-head">
      <div className="run-words" data-testid={`block-${label}`}>
        <button
          type="button"
          className="run-close"
          aria-expanded="true"
          aria-label={`${label}, ${place} of ${count} equal blocks. Fold it.`}
          title={`Fold ${label}`}
          onClick={(event) => isFirstClick(event) && close()}
          {...roving}
        >
          <ChevronDown className="ico" size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
        <CardPieces of={said} isHidden />
      </div>
      <RunScope run={run} tabIndex={roving.tabIndex} />
    </div>
  );
}

/**
 * Whether a click is not the second of a double click, which would hit the element that the first
 * one put there.
 */
function isFirstClick({ detail }: MouseEvent): boolean {
  return detail < 2;
}
