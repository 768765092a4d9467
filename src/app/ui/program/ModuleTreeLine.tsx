import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, memo, type ReactNode } from "react";
import type { ModuleLine, OutlineItem, RedistributionLine } from "#app/scene/board";
import { formatBytes } from "#app/scene/text";
import { type AppState, selectedRedistribution, selectedTensor } from "#app/state";
import { CollectiveSteps } from "../atoms/CollectiveSteps.tsx";
import { Icon } from "../atoms/Icon.tsx";
import { ExposedSwatch } from "../board/ExposedSwatch.tsx";
import { useBoardLink } from "../board/use-board-link.ts";
import { pressSend } from "../board/use-send.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { lineSaid, secondsText } from "./module-words.ts";
import { RunSteps } from "./RunSteps.tsx";

interface Props {
  readonly line: OutlineItem;
  /** Whether the line is the tree's tab stop. */
  readonly isStop: boolean;
  readonly stopAt: (id: string) => void;
  readonly toggle: (key: string) => void;
}

/** Line of the module tree: its name, and its time at the right. */
export const ModuleTreeLine = memo(function ModuleTreeLine(props: Props) {
  const { line, isStop, stopAt } = props;
  const isSelected = useApp((state) => isLineSelected(state, line));
  const press = usePress(props);
  const { light, pointing } = useBoardLink(pieceOf(line));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
  return (
    <div
      role="treeitem"
      className={`mline ${line.kind} ${light}`}
      data-line={line.id}
      data-testid={`line-${line.id}`}
      aria-level={line.level}
      aria-selected={isSelected}
      aria-expanded={line.kind === "module" ? line.isOpen : undefined}
      aria-label={lineSaid(line)}
      tabIndex={isStop ? 0 : -1}
      style={{ paddingLeft: 10 + 14 * (line.level - 1) }}
      onFocus={() => stopAt(line.id)}
      onClick={press}
      onKeyDown={onKeyDown}
      {...pointing}
    >
      <Words line={line} />
      <span className="mtree-time">{secondsText(line.seconds.forward)}</span>
      <span className="mtree-time later">{secondsText(line.seconds.backward)}</span>
    </div>
  );
});

function usePress({ line, toggle }: Props): () => void {
  const store = useAppStore();
  return () => {
    if (line.kind === "module") toggle(line.key);
    else if (line.kind === "send") pressSend(store, line);
    else store.getState().select(pieceOf(line));
  };
}

/** Parts of the plan that a line stands for. */
function pieceOf(line: OutlineItem) {
  if (line.kind === "module") return { members: line.members };
  if (line.kind === "send") return { redistribution: line.redistribution };
  const { tensor } = line;
  return {
    ...(line.kind === "operator" && { operator: line.operator }),
    ...(tensor !== undefined && { tensor }),
  };
}

function isLineSelected(state: AppState, line: OutlineItem): boolean {
  const { operator, tensor, redistribution } = state.selection;
  switch (line.kind) {
    case "module":
      return false;
    case "send": {
      const index = selectedRedistribution(state)?.index;
      const isOne = index === line.redistribution || line.others.some((other) => other === index);
      return redistribution !== undefined && isOne;
    }
    case "operator":
      if (operator !== undefined) return operator === line.operator;
      return line.tensor !== undefined && tensor === line.tensor && redistribution === undefined;
    default:
      return operator === undefined && selectedTensor(state)?.id === line.tensor;
  }
}

function Words({ line }: { readonly line: OutlineItem }) {
  if (line.kind === "module") return <ModuleWords line={line} />;
  if (line.kind === "send") return <SendWords line={line} />;
  return (
    <span className="mline-words">
      <Chevron />
      <b>{line.name}</b>
      {line.kind === "input" && <span className="mut">input</span>}
    </span>
  );
}

function Chevron({ children }: { readonly children?: ReactNode }) {
  return <span className="mline-sign">{children}</span>;
}

function ModuleWords({ line }: { readonly line: ModuleLine }) {
  const { name, runs, note, isOpen } = line;
  return (
    <span className="mline-words">
      <Chevron>
        <Icon icon={isOpen ? ChevronDown : ChevronRight} size={12} />
      </Chevron>
      <b>{name}</b>
      {runs.length > 1 && <span className="mline-count">×{runs.length}</span>}
      {runs.length > 1 && isOpen && (
        <RunSteps line={line} className="mline-runs" size={12} isInTree />
      )}
      <span className="mut">{note}</span>
    </span>
  );
}

function SendWords({ line }: { readonly line: RedistributionLine }) {
  const { badge, others, bytes, exposed, name } = line;
  return (
    <span className="mline-words">
      <Chevron />
      <CollectiveSteps steps={badge.steps} hasWords={badge.steps.length === 1} />
      <span>
        {formatBytes(bytes)}
        {others.length > 0 && ` ×${others.length + 1}`}
      </span>
      {name !== "" && <span className="mut">{name}</span>}
      {exposed !== undefined && exposed > 0 && <ExposedSwatch share={exposed} />}
    </span>
  );
}
