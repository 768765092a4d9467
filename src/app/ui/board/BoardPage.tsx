import { type KeyboardEvent, memo, type RefObject, useMemo, useState } from "react";
import type { BoardLayout, BoardRowBox, Size } from "#app/scene";
import type { Compiled } from "#app/state";
import { useAppStore } from "../store-context.tsx";
import { redistributionSentence, stepsOf } from "../words.ts";
import { BoardCardView } from "./BoardCardView.tsx";
import { BoardFrameView } from "./BoardFrameView.tsx";
import { BoardLines } from "./BoardLines.tsx";
import { BoardPillView } from "./BoardPillView.tsx";
import { BoardTexts } from "./BoardTexts.tsx";
import { BoardStopsContext } from "./board-stops.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useScrolled } from "./use-scrolled.ts";

interface Props {
  readonly compiled: Compiled;
  readonly layout: BoardLayout;
  readonly room: Size;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly toggle: (module: string) => void;
}

/** Drawn above and below what is in sight. */
const beyond = 700;

/** All that stands on the board, as far as it is near. */
export function BoardPage({ compiled, layout, room, scroller, toggle }: Props) {
  const top = useScrolled(scroller);
  const [current, stopAt] = useState<string | undefined>(undefined);
  const { showRunOf } = useAppStore().getState();
  const from = top - beyond;
  const to = top + room.height + beyond;
  const near = useMemo(
    () => layout.rows.filter(({ y, height }) => y + height >= from - 60 && y <= to),
    [layout, from, to],
  );
  const keys = useBoardKeys({ layout, scroller, current, stopAt, toggle });
  const first = layout.rows[0]?.cards.find(({ kind }) => kind !== "weight")?.id;
  const isKnown = current !== undefined && keys.has(current);
  const stops = useMemo(
    () => ({ current: isKnown ? current : first, stopAt }),
    [isKnown, current, first],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => keys.onKeyDown(event);
  return (
    <BoardStopsContext.Provider value={stops}>
      <div
        className={`bpage detail-${layout.detail}`}
        style={{ width: layout.width, height: layout.height }}
      >
        <BoardLines layout={layout} from={from} to={to} />
        <div className="bcolumns" aria-hidden="true">
          <BoardTexts texts={layout.heads} from={{ x: 0, y: 0 }} />
        </div>
        <ol className="brows" aria-label="Rows" onKeyDown={onKeyDown}>
          {near.map((row) => (
            <Row key={row.id} row={row} compiled={compiled} toggle={toggle} showRun={showRunOf} />
          ))}
        </ol>
      </div>
    </BoardStopsContext.Provider>
  );
}

interface RowProps {
  readonly row: BoardRowBox;
  readonly compiled: Compiled;
  readonly toggle: (module: string) => void;
  readonly showRun: (key: string, path: string) => void;
}

const Row = memo(function Row({ row, compiled, toggle, showRun }: RowProps) {
  return (
    <li>
      {row.pills.map((pill) => (
        <BoardPillView
          key={pill.id}
          pill={pill}
          sentence={sentenceOf(compiled, pill.redistribution)}
        />
      ))}
      {row.frames.map((frame) => (
        <BoardFrameView key={frame.id} frame={frame} toggle={toggle} showRun={showRun} />
      ))}
      {row.cards.map((card) => (
        <BoardCardView key={card.id} card={card} toggle={toggle} />
      ))}
    </li>
  );
});

const sentences = new WeakMap<Compiled["program"], Map<number, string>>();

function sentenceOf(compiled: Compiled, index: number): string {
  const known = sentences.get(compiled.program) ?? new Map<number, string>();
  sentences.set(compiled.program, known);
  const before = known.get(index);
  if (before !== undefined) return before;
  const found = compiled.program.redistributions.find((each) => each.index === index);
  const said = found === undefined ? "" : redistributionSentence(found, stepsOf(compiled, found));
  known.set(index, said);
  return said;
}
