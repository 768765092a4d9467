import { useApp } from "../store-context.tsx";

interface Props {
  readonly hidden: number;
  /** Time of the hidden operators, as text. */
  readonly time: string;
}

/** Number of the hidden view operators (such as reshapes), and the switch that shows them. */
export function ViewsSwitch({ hidden, time }: Props) {
  const showsViews = useApp((state) => state.board.showsViews);
  const arrange = useApp((state) => state.arrangeBoard);
  if (hidden === 0 && !showsViews) return null;
  return (
    <button
      type="button"
      className="bviews"
      aria-pressed={showsViews}
      title="What shows a tensor in another shape, order or type: views, copies and casts"
      onClick={() => arrange({ showsViews: !showsViews })}
    >
      {showsViews
        ? "Hide views"
        : `${hidden} ${hidden === 1 ? "view" : "views"} hidden${time === "" ? "" : `, ${time}`}`}
    </button>
  );
}
