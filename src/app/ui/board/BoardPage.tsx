import { type KeyboardEvent, memo, type RefObject, useMemo, useRef, useState } from "react";
import type { Size } from "#app/scene";
import type { BoardLayout, BoardRowBox } from "#app/scene/board";
import type { BoardMarks } from "#app/scene/difference";
import { SpokenBehind } from "../atoms/Spoken.tsx";
import { BoardDifference } from "../compare/BoardDifference.tsx";
import { useAppStore } from "../store-context.tsx";
import { BoardCardView } from "./BoardCardView.tsx";
import { BoardFrameView } from "./BoardFrameView.tsx";
import { BoardLines } from "./BoardLines.tsx";
import { BoardPillView } from "./BoardPillView.tsx";
import { BoardTexts } from "./BoardTexts.tsx";
import { BoardStopsContext, stopsOfFrame } from "./board-stops.ts";
import { type PlacedRow, placedRows } from "./placed-rows.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useScrolled } from "./use-scrolled.ts";

interface Props {
  readonly layout: BoardLayout;
  readonly room: Size;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly toggle: (module: string) => void;
  /** Differences from the baseline; `undefined` if none are marked. */
  readonly marks: BoardMarks | undefined;
}

/** Least visible height in pixels of a card at the lower edge for its first rendering. */
const sliver = 12;

/** Rendered part of the board: the rows near the visible range. */
export function BoardPage({ layout, room, scroller, toggle, marks }: Props) {
  const { top, beyond } = useScrolled(scroller);
  const [current, stopAt] = useState<string | undefined>(undefined);
  const { showRunOf } = useAppStore().getState();
  const from = top - beyond;
  const to = top + room.height + (beyond === 0 ? -sliver : beyond);
  const first = layout.rows[0]?.cards.find(({ kind }) => kind !== "weight")?.id;
  const keys = useBoardKeys({ layout, scroller, current, stopAt, toggle });
  const stop = current !== undefined && keys.has(current) ? current : first;
  const last = useRef<readonly PlacedRow[]>([]);
  const near = useMemo(() => {
    const isNear = ({ y, height }: BoardRowBox) => y + height >= from && y <= to;
    const shown = layout.rows.filter((row) => isNear(row) || hasStop(row, stop));
    const cut = beyond > 0 ? shown : shown.map((row) => cutAt(row, to, stop));
    return placedRows(cut, last.current);
  }, [layout, from, to, beyond, stop]);
  last.current = near;
  const stops = useMemo(() => ({ current: stop, stopAt }), [stop]);
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
          {near.map(({ top: y, row }) => (
            <li key={row.id} style={{ top: y }}>
              <Row {...{ row, toggle }} showRun={showRunOf} said={marks?.said} />
            </li>
          ))}
        </ol>
        {marks !== undefined && <BoardDifference marks={marks} from={from} to={to} />}
      </div>
    </BoardStopsContext.Provider>
  );
}

/** Row without the cards that begin below a line, except the card that is the tab stop. */
function cutAt(row: BoardRowBox, line: number, stop: string | undefined): BoardRowBox {
  const cards = row.cards.filter(({ id, y }) => y <= line || id === stop);
  return cards.length === row.cards.length ? row : { ...row, cards };
}

/**
 * Whether a row holds the tab stop: such a row stays rendered however far the board is scrolled.
 */
function hasStop({ frames, pills, cards }: BoardRowBox, stop: string | undefined): boolean {
  return [...frames.flatMap(stopsOfFrame), ...pills, ...cards].some(({ id }) => id === stop);
}

interface RowProps {
  readonly row: BoardRowBox;
  readonly toggle: (module: string) => void;
  readonly showRun: (key: string, path: string) => void;
  /** Texts of differences from the baseline, spoken after the cards' and pills' own, by id. */
  readonly said: BoardMarks["said"] | undefined;
}

const Row = memo(function Row({ row, toggle, showRun, said }: RowProps) {
  return (
    <>
      {keyedPills(row.pills).map(({ key, pill }) => (
        <SpokenBehind.Provider key={key} value={said?.get(pill.id) ?? ""}>
          <BoardPillView pill={pill} />
        </SpokenBehind.Provider>
      ))}
      {row.frames.map((frame) => (
        <BoardFrameView key={frame.id} frame={frame} toggle={toggle} showRun={showRun} />
      ))}
      {row.cards.map((card) => (
        <SpokenBehind.Provider key={card.id} value={said?.get(card.id) ?? ""}>
          <BoardCardView card={card} toggle={toggle} />
        </SpokenBehind.Provider>
      ))}
    </>
  );
});

/**
 * Pills keyed by lane and place in the lane. Redistributions are numbered through the whole plan,
 * so their numbers would change below a new one and give all later pills new keys.
 */
function keyedPills(pills: BoardRowBox["pills"]) {
  return pills.map((pill, at) => {
    const inLane = pills.slice(0, at).filter(({ lane }) => lane === pill.lane).length;
    return { key: `${pill.lane} ${inLane}`, pill };
  });
}
