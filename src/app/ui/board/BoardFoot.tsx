import { type BoardLayout, formatSeconds } from "#app/scene";
import { ZoomTools } from "../canvas/ZoomTools.tsx";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly layout: BoardLayout | undefined;
  readonly zoom: number;
  readonly zoomBy: (by: 1 | -1) => void;
  readonly fit: () => void;
}

/** Below the board: what its marks mean, what is left out, and its zoom. */
export function BoardFoot({ layout, zoom, zoomBy, fit }: Props) {
  const showsViews = useApp((state) => state.board.showsViews);
  const arrange = useApp((state) => state.arrangeBoard);
  const hidden = layout?.hiddenOperators ?? 0;
  return (
    <div className="bfoot">
      <div className="blegend">
        <span>
          <span className="bswatch">
            <i style={{ height: "100%" }} />
          </span>
          exposed: compute waits
        </span>
        <span>
          <i className="bhidden" />
          hidden under compute
        </span>
        {layout !== undefined && layout.longest > 0 && (
          <span>
            <i className="bheat" />
            time, full = {formatSeconds(layout.longest)}
          </span>
        )}
      </div>
      {(hidden > 0 || showsViews) && (
        <button
          type="button"
          className="bviews"
          aria-pressed={showsViews}
          onClick={() => arrange({ showsViews: !showsViews })}
        >
          {showsViews ? "Hide views" : `${hidden} ${hidden === 1 ? "view" : "views"} hidden`}
        </button>
      )}
      <ZoomTools
        className="bzoom"
        zoom={zoom}
        zoomOut={() => zoomBy(-1)}
        zoomIn={() => zoomBy(1)}
        whole={["Fit the board", fit]}
      />
    </div>
  );
}
