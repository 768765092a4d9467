import { useStore as useFlowStore, useReactFlow } from "@xyflow/react";
import type { CanvasLayout } from "#app/scene/graph";
import { digitKeys } from "../gesture/card-keys.ts";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useAppStore } from "../store-context.tsx";
import { useFoldKey } from "./use-folds.ts";
import { useSought } from "./use-sought.ts";
import { ZoomTools } from "./ZoomTools.tsx";

interface Props {
  readonly layout: CanvasLayout;
  /** Id of the node that is the tab stop. */
  readonly current: string | undefined;
  /** Fits the whole graph into the view. */
  readonly showAll: () => void;
}

/** Zoom buttons, and the letter keys that act on the graph. */
export function CanvasTools({ layout, current, showAll }: Props) {
  const flow = useReactFlow();
  const zoom = useFlowStore((state) => state.transform[2]);
  const store = useAppStore();
  const zoomOut = () => void flow.zoomOut();
  const zoomIn = () => void flow.zoomIn();
  useLetterKeys({ f: showAll, "+": zoomIn, "-": zoomOut, ...digitKeys(store) });
  useFoldKey(layout, current);
  useSought(layout);
  return (
    <ZoomTools className="zoom" whole={["Fit the graph", showAll]} {...{ zoom, zoomOut, zoomIn }} />
  );
}
