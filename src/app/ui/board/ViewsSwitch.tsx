import { useApp } from "../store-context.tsx";

/** Counts the operators that are not drawn because they only show a tensor otherwise; shows them. */
export function ViewsSwitch({ hidden }: { readonly hidden: number }) {
  const showsViews = useApp((state) => state.board.showsViews);
  const arrange = useApp((state) => state.arrangeBoard);
  if (hidden === 0 && !showsViews) return null;
  return (
    <button
      type="button"
      className="bviews"
      aria-pressed={showsViews}
      onClick={() => arrange({ showsViews: !showsViews })}
    >
      {showsViews ? "Hide views" : `${hidden} ${hidden === 1 ? "view" : "views"} hidden`}
    </button>
  );
}
