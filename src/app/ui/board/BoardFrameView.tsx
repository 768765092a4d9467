import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { BoardFrame } from "#app/scene";
import { Icon } from "../atoms/Icon.tsx";
import { BoardTexts } from "./BoardTexts.tsx";
import { useBoardStop } from "./board-stops.ts";

interface Props {
  readonly frame: BoardFrame;
  readonly toggle: (module: string) => void;
  readonly showRun: (key: string, path: string) => void;
}

/** The head of an open module: its name, which folds it, and the way to its equals. */
export const BoardFrameView = memo(function BoardFrameView({ frame, toggle, showRun }: Props) {
  const { head, texts, said, module, depth } = frame;
  const stop = useBoardStop(frame.id);
  const press = ({ detail }: MouseEvent) => {
    if (detail < 2) toggle(module);
  };
  return (
    <>
      <button
        type="button"
        className={`bhead ${depth === 0 ? "outer" : "inner"}`}
        data-testid={frame.id}
        aria-expanded="true"
        aria-label={said}
        style={{ left: head.x, top: head.y, width: head.width, height: head.height }}
        onClick={press}
        {...stop}
      >
        <Icon icon={ChevronDown} size={12} />
        <BoardTexts texts={texts} from={head} />
      </button>
      <RunSteps frame={frame} showRun={showRun} />
    </>
  );
});

/** Steps to the layer before and behind the one that is shown. */
function RunSteps({ frame, showRun }: Pick<Props, "frame" | "showRun">) {
  const { runs, head, depth, module } = frame;
  if (runs.length < 2 || depth > 0) return null;
  const at = runs.findIndex(({ isShown }) => isShown);
  const step = (by: 1 | -1, name: string, icon: typeof ChevronLeft) => {
    const next = runs[at + by];
    return (
      <button
        type="button"
        tabIndex={-1}
        aria-label={name}
        title={next === undefined ? name : `${name}: ${next.path}`}
        disabled={next === undefined}
        onClick={() => next !== undefined && showRun(module, next.path)}
      >
        <Icon icon={icon} size={12} />
      </button>
    );
  };
  return (
    <span className="bruns" style={{ left: head.x + head.width + 2, top: head.y }}>
      {step(-1, "The layer before", ChevronLeft)}
      {step(1, "The next layer", ChevronRight)}
    </span>
  );
}
