import { ChevronDown, ChevronRight } from "lucide-react";
import { pieceText, runCard, stackCard } from "#app/scene/card";
import type { BlockStack, RunHead } from "#app/scene/graph";
import { Icon } from "../atoms/Icon.tsx";
import { CardPieces } from "../canvas/CardPieces.tsx";
import { RunScope } from "../canvas/RunScope.tsx";
import { useApp } from "../store-context.tsx";

/** Equal blocks as one row; a tap expands the first of them. */
export function PhoneStack({ stack }: { readonly stack: BlockStack }) {
  const openRun = useApp((state) => state.openRun);
  const { label, runs } = stack;
  const { rows, beside } = stackCard(stack);
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
        <CardPieces of={rows.flatMap(({ start }) => start)} />
      </span>
      <CardPieces of={beside} />
    </button>
  );
}

/** The head of an expanded block; a tap folds it again. */
export function PhoneRun({ run }: { readonly run: RunHead }) {
  const closeRun = useApp((state) => state.closeRun);
  const { key, label, differsBy } = run;
  const said = runCard(run).rows.flatMap(({ start }) => start);
  if (differsBy !== undefined) {
    return (
      <div className="row-run">
        <h2 className="grp-h" data-testid={`block-${label}`}>
          {said.map(pieceText).join(" ")}
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
          <CardPieces of={said} />
        </span>
      </button>
      <RunScope run={run} />
    </div>
  );
}
