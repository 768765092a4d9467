import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from "react";
import { type CanvasLayout, runNodeOf } from "#app/scene/graph";
import { drawn, type Selection } from "#app/state";
import type { Compiled } from "#compile";
import { planDrawingOf } from "../board/PlanCanvas.tsx";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { usePainted } from "../use-painted.ts";
import { ModuleTree } from "./ModuleTree.tsx";
import { type OutlineBlock, type OutlineLine, outlineLines } from "./outline-lines.ts";

/** The most lines that are written at once; a button adds more. */
const page = 400;

/** Up to so many operators the whole plan is put into words; a larger plan with its folds. */
const mostInWords = 200;

/**
 * The plan as a tree: of modules where it is drawn by rows; else of sentences, inputs and
 * parameters first, then operators with their results.
 */
export function Outline({ isVisible }: { readonly isVisible: boolean }) {
  const compiled = useApp(drawn);
  const layout = useApp((state) => state.laidOut?.layout);
  const isByRows = useApp((state) => planDrawingOf(state) === "rows");
  const later = usePainted(compiled);
  const laterLayout = usePainted(layout);
  if (compiled === undefined) return null;
  if (isVisible && isByRows) return <ModuleTree compiled={compiled} />;
  if (isVisible) return <OutlineTree compiled={compiled} layout={layout} />;
  // These words come after the visible parts are drawn, for the first plan too.
  return later === undefined ? null : <OutlineWords compiled={later} layout={laterLayout} />;
}

interface Props {
  readonly compiled: Compiled;
  readonly layout: CanvasLayout | undefined;
}

function OutlineTree({ compiled, layout }: Props) {
  const lines = useMemo(() => outlineLines(compiled, layout), [compiled, layout]);
  const [pages, setPages] = useState(1);
  const { ref, toggle } = useToggle(layout);
  const shown = lines.slice(0, pages * page);
  const rest = lines.length - shown.length;
  return (
    <div
      className="outline"
      role="tree"
      aria-label="Outline"
      data-testid="outline"
      onKeyDown={moveInTree}
      ref={ref}
    >
      {shown.map((line, at) => (
        <TreeLine key={line.key} line={line} isFirst={at === 0} toggle={toggle} />
      ))}
      {rest > 0 && <MoreLine rest={rest} more={() => setPages(pages + 1)} />}
    </div>
  );
}

type Toggle = (run: string, isOpen: boolean) => void;

/** Opens and folds blocks; the focus moves to the line of the block. */
function useToggle(layout: CanvasLayout | undefined) {
  const openRun = useApp((state) => state.openRun);
  const closeRun = useApp((state) => state.closeRun);
  const ref = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    if (wanted.current === undefined || layout === undefined) return;
    const node = runNodeOf(layout, wanted.current);
    wanted.current = undefined;
    const items = [...(ref.current?.querySelectorAll<HTMLElement>("[data-block]") ?? [])];
    items.find((item) => item.dataset["block"] === node?.id)?.focus();
  }, [layout]);
  const toggle: Toggle = (run, isOpen) => {
    wanted.current = run;
    if (isOpen) openRun(run);
    else closeRun(run);
  };
  return { ref, toggle };
}

interface TreeLineProps {
  readonly line: OutlineLine;
  readonly isFirst: boolean;
  readonly toggle: Toggle;
}

function TreeLine({ line, isFirst, toggle }: TreeLineProps) {
  const isSelected = useApp((state) => isLineSelected(line, state.selection));
  const select = useApp((state) => state.select);
  const { block } = line;
  const press = () =>
    block === undefined ? select(line.select) : toggle(block.run, !block.isOpen);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Enter" || event.key === " ") press();
    else if (!foldBy(event.key, line, toggle)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      role="treeitem"
      aria-level={line.level}
      aria-selected={isSelected}
      aria-expanded={block?.isOpen}
      data-block={block?.node}
      tabIndex={isFirst ? 0 : -1}
      onClick={press}
      onKeyDown={onKeyDown}
    >
      <span className="line">
        {block !== undefined && <Sign block={block} />}
        <LineText line={line} />
      </span>
    </div>
  );
}

/**
 * → opens a block, and ← folds it, from its line or one inside; returns whether the key did
 * something.
 */
function foldBy(key: string, { block, inRun }: OutlineLine, toggle: Toggle): boolean {
  const isOpening = key === "ArrowRight" && block?.isOpen === false;
  const open = block?.isOpen === true ? block.run : inRun;
  if (isOpening) toggle(block.run, true);
  else if (key === "ArrowLeft" && open !== undefined) toggle(open, false);
  else return false;
  return true;
}

function LineText({ line: { select, text } }: { readonly line: OutlineLine }) {
  const isKept = useIsAsked("comm");
  return isKept && select.redistribution !== undefined ? bytesAsked : text();
}

function Sign({ block }: { readonly block: OutlineBlock }) {
  return <span aria-hidden="true">{block.isOpen ? "▾ " : "▸ "}</span>;
}

function MoreLine({ rest, more }: { readonly rest: number; readonly more: () => void }) {
  return (
    <div
      role="treeitem"
      aria-level={1}
      aria-selected={false}
      tabIndex={-1}
      onClick={more}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        more();
      }}
    >
      <span className="line">
        {rest === 1 ? "One more line" : `${rest} more lines`}: show {Math.min(rest, page)} of them
      </span>
    </div>
  );
}

/** The outline's words for assistive technology while another tab is open. */
const OutlineWords = memo(function OutlineWords({ compiled, layout }: Props) {
  const isFolded = compiled.graph.operators.length > mostInWords;
  const lines = useMemo(
    () => nested(outlineLines(compiled, isFolded ? layout : undefined, page)),
    [compiled, layout, isFolded],
  );
  return (
    <ul className="vh" aria-label="The plan in words" data-testid="outline">
      {lines.map(({ line, inside }) => (
        <li key={line.key}>
          <LineText line={line} />
          {inside.length > 0 && (
            <ul>
              {inside.map((each) => (
                <li key={each.key}>
                  <LineText line={each} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
});

interface Branch {
  readonly line: OutlineLine;
  readonly inside: OutlineLine[];
}

function nested(lines: readonly OutlineLine[]): readonly Branch[] {
  const branches: Branch[] = [];
  for (const line of lines) {
    const last = branches.at(-1);
    if (line.level === 1 || last === undefined) branches.push({ line, inside: [] });
    else last.inside.push(line);
  }
  return branches;
}

function isLineSelected({ select }: OutlineLine, selection: Selection): boolean {
  if (select.redistribution !== undefined) {
    return selection.redistribution === select.redistribution && selection.operator === undefined;
  }
  if (select.operator !== undefined) return selection.operator === select.operator;
  const isNothing = select.tensor === undefined;
  return !isNothing && selection.tensor === select.tensor && selection.operator === undefined;
}

function moveInTree(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.findIndex((item) => item.matches(":focus"));
  if (step !== undefined) items[Math.min(Math.max(at + step, 0), items.length - 1)]?.focus();
  else if (event.key === "Home") items[0]?.focus();
  else if (event.key === "End") items.at(-1)?.focus();
  else return;
  event.preventDefault();
}
