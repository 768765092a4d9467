import { ChevronDown, ChevronRight } from "lucide-react";
import type { BlockStack, RunHead } from "#app/scene";
import { Icon } from "../atoms/Icon.tsx";
import { differenceText } from "../canvas/BlockNodes.tsx";
import { RunScope } from "../canvas/RunScope.tsx";
import { useApp } from "../store-context.tsx";

/** Equal blocks as one row; a tap writes the first of them out. */
export function PhoneStack({ stack }: { readonly stack: BlockStack }) {
  const openRun = useApp((state) => state.openRun);
  const { label, count, each, all, runs } = stack;
  return (
    <button
      type="button"
      className="row1 row-block"
      data-testid={`block-${label}`}
      aria-expanded="false"
      onClick={() => openRun(runs[0]?.key ?? "")}
    >
      <Icon icon={ChevronRight} size={18} />
      <span className="stack-words">
        <b>{label}</b>
        <span>{each}</span>
        <span>{all}</span>
      </span>
      {count > 1 && <b className="stack-count">×{count}</b>}
    </button>
  );
}

/** The head of a block that is written out; a tap folds it again. */
export function PhoneRun({ run }: { readonly run: RunHead }) {
  const closeRun = useApp((state) => state.closeRun);
  const { key, label, place, count, differsBy } = run;
  if (differsBy !== undefined) {
    return (
      <div className="row-run">
        <h2 className="grp-h" data-testid={`block-${label}`}>
          {label} · {differenceText(differsBy)}
        </h2>
        <RunScope run={run} />
      </div>
    );
  }
  return (
    <div className="row-run">
      <button
        type="button"
        className="row1 row-block"
        data-testid={`block-${label}`}
        aria-expanded="true"
        onClick={() => closeRun(key)}
      >
        <Icon icon={ChevronDown} size={18} />
        <span className="stack-words">
          <b>{label}</b>
          <span>
            {place} of {count} equal blocks
          </span>
        </span>
      </button>
      <RunScope run={run} />
    </div>
  );
}
