import { useStore as useFlowStore, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { CanvasLayout } from "#app/scene";
import { IconButton } from "../atoms/IconButton.tsx";
import { digitKeys } from "../gesture/card-keys.ts";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useAppStore } from "../store-context.tsx";
import { firstView } from "./use-first-view.ts";
import { useFoldKey } from "./use-folds.ts";
import { useSought } from "./use-sought.ts";

interface Props {
  readonly layout: CanvasLayout;
  /** The node at which the Tab key stops. */
  readonly current: string | undefined;
}

/** Zoom and fit; one stop of the Tab key, arrows move inside. */
export function CanvasTools({ layout, current }: Props) {
  const flow = useReactFlow();
  const zoom = useFlowStore((state) => state.transform[2]);
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const store = useAppStore();
  const [stop, setStop] = useState(0);
  const fit = () => void flow.setViewport(firstView(layout, width, height));
  useLetterKeys({ f: fit, ...digitKeys(store) });
  useFoldKey(layout, current);
  useSought(layout);
  const tools = [
    { name: "Zoom out", icon: Minus, act: () => flow.zoomOut() },
    { name: "Zoom in", icon: Plus, act: () => flow.zoomIn() },
    {
      name: "Fit the graph",
      icon: Maximize,
      act: fit,
    },
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (stop + step + tools.length) % tools.length;
    setStop(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className="zoom" role="toolbar" aria-label="Zoom" onKeyDown={onKeyDown}>
      {tools.map(({ name, icon, act }, at) => (
        <IconButton
          key={name}
          icon={icon}
          size={14}
          name={name}
          tabIndex={at === stop ? 0 : -1}
          onFocus={() => setStop(at)}
          onClick={() => void act()}
          style={{ order: at === 0 ? 0 : 2 }}
        />
      ))}
      <span style={{ order: 1 }}>{Math.round(zoom * 100)} %</span>
    </div>
  );
}
