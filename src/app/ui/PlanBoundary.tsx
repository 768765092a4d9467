import type { ReactNode } from "react";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { useApp } from "./store-context.tsx";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/** A panel that is tried again with every version; what is around it is not drawn for that. */
export function PlanBoundary({ name, children }: Props) {
  const attempt = useApp((state) => state.compiled);
  return (
    <PanelBoundary name={name} attempt={attempt}>
      {children}
    </PanelBoundary>
  );
}
