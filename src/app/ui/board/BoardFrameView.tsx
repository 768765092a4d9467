import { ChevronDown, ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { BoardFrame } from "#app/scene/board";
import { Icon } from "../atoms/Icon.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { BoardTexts } from "./BoardTexts.tsx";
import { type RunStep, runStepsOf, useBoardStop } from "./board-stops.ts";

interface Props {
  readonly frame: BoardFrame;
  readonly toggle: (module: string) => void;
  readonly showRun: (key: string, path: string) => void;
}

/** Head of an open module: a press on its name folds it; buttons lead to equal modules. */
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
        style={{ left: head.x, top: head.y, width: head.width, height: head.height }}
        onClick={press}
        {...stop}
      >
        <Spoken sentence={said}>
          <Icon icon={ChevronDown} size={12} />
          <BoardTexts texts={texts} from={head} />
        </Spoken>
      </button>
      <RunSteps frame={frame} showRun={showRun} />
    </>
  );
});

const runIcons = [ChevronLeft, ChevronRight] as const;

/** Buttons to the previous and the next of equal layers. */
function RunSteps({ frame, showRun }: Pick<Props, "frame" | "showRun">) {
  const [first] = runStepsOf(frame);
  if (first === undefined) return null;
  return (
    <span className="bruns" style={{ left: first.x, top: first.y }}>
      {runStepsOf(frame).map((step, at) => (
        <RunStepButton
          key={step.id}
          step={step}
          icon={runIcons[at] ?? ChevronRight}
          show={(path) => showRun(frame.module, path)}
        />
      ))}
    </span>
  );
}

interface RunStepProps {
  readonly step: RunStep;
  readonly icon: LucideIcon;
  readonly show: (path: string) => void;
}

/**
 * Button to another layer. At the first and last layer it has no target but stays focusable, since
 * a disabled button would lose the focus.
 */
function RunStepButton({ step, icon, show }: RunStepProps) {
  const { id, name, path } = step;
  const stop = useBoardStop(id);
  return (
    <button
      type="button"
      aria-label={name}
      title={path === undefined ? name : `${name}: ${path}`}
      aria-disabled={path === undefined}
      onClick={() => path !== undefined && show(path)}
      {...stop}
    >
      <Icon icon={icon} size={12} />
    </button>
  );
}
