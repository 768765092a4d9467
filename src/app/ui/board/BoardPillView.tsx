import { memo } from "react";
import type { BoardPill } from "#app/scene";
import { type AppState, selectedRedistribution } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useBoardStop } from "./board-stops.ts";
import { useBoardLink } from "./use-board-link.ts";

interface Props {
  readonly pill: BoardPill;
  /** The whole sentence of what is sent. */
  readonly sentence: string;
}

const played = (state: AppState) => selectedRedistribution(state)?.index;

/** A redistribution on the board; press it to see its steps, again for the others that it stands for. */
export const BoardPillView = memo(function BoardPillView({ pill, sentence }: Props) {
  const { redistribution, others, tensor, steps, hasWords, numbers, exposed } = pill;
  const { x, y, width, height, lane } = pill;
  const selected = useApp(played);
  const isChosen = useApp((state) => state.selection.redistribution !== undefined);
  const store = useAppStore();
  const stop = useBoardStop(pill.id);
  const { light, pointing } = useBoardLink({ redistribution });
  const all = [redistribution, ...others];
  const isSelected = isChosen && selected !== undefined && all.includes(selected);
  const press = () => {
    const { select, showSheet, selection } = store.getState();
    const at = selection.redistribution === undefined ? -1 : all.indexOf(selection.redistribution);
    const next = all[(at + 1) % all.length] ?? redistribution;
    select(next === redistribution ? { redistribution, tensor } : { redistribution: next });
    showSheet("steps");
  };
  return (
    <button
      type="button"
      className={`bpill ${lane} ${exposed === 0 ? "hid" : ""} ${isSelected ? "sel" : ""} ${light}`}
      data-testid={`redist-${redistribution}`}
      aria-pressed={isSelected}
      style={{ left: x, top: y, width, height }}
      onClick={press}
      {...pointing}
      {...stop}
    >
      <Spoken sentence={sentence}>
        {keyed(steps).map(({ key, item }) => (
          <span key={key} className="bstep">
            <CollectiveIcon collective={item.collective} size={12} />
            {hasWords && <span>{item.collective}</span>}
            {keyed(item.axes).map(({ key: axis, item: tag }) => (
              <AxisChip key={axis} tag={tag} />
            ))}
          </span>
        ))}
        {numbers !== "" && <span className="q">{numbers}</span>}
        {exposed !== undefined && exposed > 0 && <Swatch share={exposed} />}
      </Spoken>
    </button>
  );
});

/** Hatched from below by the share of the time in which nothing is computed. */
function Swatch({ share }: { readonly share: number }) {
  return (
    <span className="bswatch">
      <i style={{ height: `${Math.round(100 * share)}%` }} />
    </span>
  );
}
