import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { ModuleLine, OutlineItem } from "#app/scene/board";
import type { Compiled } from "#compile";
import { toggleModule } from "../board/open-modules.ts";
import { useModuleOutline } from "../board/use-module-outline.ts";
import { ViewsSwitch } from "../board/ViewsSwitch.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { ModuleTreeLine } from "./ModuleTreeLine.tsx";
import { type TreeStop, treeMove, typedAhead, useTypedWord } from "./tree-keys.ts";

/** The modules of the text with their operators, open where the board has them open. */
export function ModuleTree({ compiled }: { readonly compiled: Compiled }) {
  const { view, lines: all, hiddenOperators, hiddenTime } = useModuleOutline(compiled, true);
  const picked = useApp((state) => state.selection.tensor);
  // Weights would fill every second line, so only the selected one is listed.
  const lines = all.filter((line) => line.kind !== "weight" || line.tensor === picked);
  const hasBackward = lines.some(({ seconds }) => seconds.backward > 0);
  const [current, stopAt] = useState<string>();
  const store = useAppStore();
  const box = useRef<HTMLDivElement>(null);
  useSelectedInSight(box);
  const toggle = (key: string) => toggleModule(store, view.open, key);
  const focusOn = (id: string) =>
    box.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus();
  const onKeyDown = useTreeKeys({ lines, current, toggle, focusOn });
  const isKnown = lines.some(({ id }) => id === current);
  const stop = isKnown ? current : lines[0]?.id;
  return (
    <>
      <div className="mtree-head">
        <span className="mut">Modules</span>
        <ViewsSwitch hidden={hiddenOperators} time={hiddenTime} />
        <span className="mtree-time">{hasBackward ? "forward" : "time"}</span>
        {hasBackward && <span className="mtree-time">backward</span>}
      </div>
      <div
        className={`mtree ${hasBackward ? "two" : ""}`}
        role="tree"
        aria-label="Outline"
        data-testid="outline"
        onKeyDown={onKeyDown}
        ref={box}
      >
        {lines.map((line) => (
          <ModuleTreeLine
            key={line.id}
            line={line}
            isStop={line.id === stop}
            stopAt={stopAt}
            toggle={toggle}
          />
        ))}
      </div>
    </>
  );
}

interface Keys {
  readonly lines: readonly OutlineItem[];
  readonly current: string | undefined;
  readonly toggle: (key: string) => void;
  readonly focusOn: (id: string) => void;
}

/** Arrows, Home, End and letters lead through the tree; Shift with an arrow shows another layer. */
function useTreeKeys({ lines, current, toggle, focusOn }: Keys) {
  const wordOf = useTypedWord();
  const showRunOf = useApp((state) => state.showRunOf);
  const act = (event: KeyboardEvent): boolean => {
    const at = lines.findIndex(({ id }) => id === current);
    const line = lines[at];
    if (line?.kind === "module" && event.shiftKey && line.isOpen) {
      const next = neighbourRun(line, event.key);
      if (next !== undefined) {
        showRunOf(line.key, next);
        return true;
      }
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const stops = lines.map(stopOf);
    const move = treeMove(stops, at, event.key);
    if (move?.kind === "toggle" && line?.kind === "module") toggle(line.key);
    const word = move === undefined ? wordOf(event) : undefined;
    const typed = word === undefined ? undefined : typedAhead(stops, at, word);
    const to = move?.kind === "go" ? move.to : typed?.id;
    if (to !== undefined) focusOn(to);
    return move !== undefined || word !== undefined || isArrow.test(event.key);
  };
  return (event: KeyboardEvent) => {
    if (!act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const isArrow = /^(Arrow|Home|End)/u;

function stopOf(line: OutlineItem): TreeStop {
  const { id, level } = line;
  const name = line.kind === "send" ? (line.badge.steps[0]?.collective ?? "") : line.name;
  return { id, level, name, ...(line.kind === "module" && { isOpen: line.isOpen }) };
}

/** The layer before or behind the one that is shown. */
function neighbourRun({ runs, shown }: ModuleLine, key: string): string | undefined {
  if (key === "ArrowLeft") return runs[shown - 1];
  return key === "ArrowRight" ? runs[shown + 1] : undefined;
}

/** Brings the line of what is picked elsewhere into sight, once its branch is open. */
function useSelectedInSight(box: { readonly current: HTMLElement | null }): void {
  const chosen = useApp((state) => state.chosen);
  const seen = useRef<typeof chosen>(undefined);
  useEffect(() => {
    if (chosen === undefined || chosen === seen.current) return;
    const line = box.current?.querySelector("[aria-selected=true]");
    if (line === null || line === undefined) return;
    seen.current = chosen;
    line.scrollIntoView({ block: "nearest" });
  });
}
