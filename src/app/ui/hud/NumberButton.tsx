import type { ReactNode } from "react";
import type { Metric } from "#app/scene/text";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly metric: Metric;
  /** Meaning of the number, as the button's accessible name. */
  readonly name: string;
  readonly children: ReactNode;
}

/** Number of the cost bar; a press shows its parts. */
export function NumberButton({ metric, name, children }: Props) {
  const isOpen = useApp((state) => state.metric === metric);
  const open = useApp((state) => state.openTable);
  return (
    <button
      type="button"
      className="number"
      aria-expanded={isOpen}
      aria-label={`${name}: what it is made of`}
      title="What it is made of"
      onClick={() => open(isOpen ? undefined : metric)}
    >
      {children}
    </button>
  );
}
