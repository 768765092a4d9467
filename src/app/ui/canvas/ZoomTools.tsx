import { Maximize, Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { fieldOf } from "#core/records";
import { IconButton } from "../atoms/IconButton.tsx";

interface Props {
  readonly className: string;
  readonly zoom: number;
  readonly zoomOut: () => void;
  readonly zoomIn: () => void;
  /** Button that fits the whole drawing: its name and its action. */
  readonly whole: readonly [name: string, fit: () => void];
}

const arrows: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Zoom and fit buttons: one tab stop, arrow keys move inside. */
export function ZoomTools({ className, zoom, zoomOut, zoomIn, whole }: Props) {
  const [stop, setStop] = useState(0);
  const tools = [
    { name: "Zoom out", icon: Minus, act: zoomOut },
    { name: "Zoom in", icon: Plus, act: zoomIn },
    { name: whole[0], icon: Maximize, act: whole[1] },
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = fieldOf(arrows, event.key);
    if (step === undefined) return;
    event.preventDefault();
    const next = (stop + step + tools.length) % tools.length;
    setStop(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div className={className} role="toolbar" aria-label="Zoom" onKeyDown={onKeyDown}>
      {tools.map(({ name, icon, act }, at) => (
        <IconButton
          key={name}
          icon={icon}
          size={14}
          name={name}
          tabIndex={at === stop ? 0 : -1}
          onFocus={() => setStop(at)}
          onClick={act}
          style={{ order: at === 0 ? 0 : 2 }}
        />
      ))}
      <span style={{ order: 1 }}>{Math.round(zoom * 100)} %</span>
    </div>
  );
}
