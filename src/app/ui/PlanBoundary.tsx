import type { ReactNode } from "react";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { useApp } from "./store-context.tsx";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

/**
 * Error boundary of a panel that is rendered again with every compiled version, without rendering
 * its surroundings.
 */
export function PlanBoundary({ name, children }: Props) {
  const attempt = useApp((state) => state.compiled);
  return (
    <PanelBoundary name={name} attempt={attempt}>
      {children}
    </PanelBoundary>
  );
}
