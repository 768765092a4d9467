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
  /** The node at which the Tab key stops. */
  readonly current: string | undefined;
  /** Brings all of the graph into view. */
  readonly showAll: () => void;
}

/** Zoom and fit, and the letters that act on the graph. */
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
