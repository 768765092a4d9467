import type { ReactNode } from "react";
import type { Metric } from "#app/scene/text";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly metric: Metric;
  /** The meaning of the number, for the button's name. */
  readonly name: string;
  readonly children: ReactNode;
}

/** A number of the cost bar; pressing it lists its parts. */
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
