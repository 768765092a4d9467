import { useEffect } from "react";
import { selectedTensor } from "#app/state";
import { useApp } from "../store-context.tsx";

/** What the page around is told: how high the plan would like to be, and what is looked at. */
type Told =
  | { readonly source: "shardboard"; readonly kind: "height"; readonly height: number }
  | {
      readonly source: "shardboard";
      readonly kind: "select";
      readonly tensor: string | null;
      readonly operator: string | null;
      readonly redistribution: number | null;
    };

const bar = 45;
const [least, most] = [240, 900];

/** Tells the page around, and only the one that is known, what it may want to follow. */
export function useMessages(): void {
  const layout = useApp((state) => state.laidOut?.layout);
  const tensor = useApp((state) => selectedTensor(state)?.name);
  const operator = useApp((state) => state.selection.operator);
  const redistribution = useApp((state) => state.selection.redistribution);
  useEffect(() => {
    if (layout === undefined) return;
    const zoom = Math.min(1, innerWidth / layout.width);
    const height = Math.min(most, Math.max(least, Math.ceil(layout.height * zoom) + bar));
    tell({ source: "shardboard", kind: "height", height });
  }, [layout]);
  useEffect(() => {
    tell({
      source: "shardboard",
      kind: "select",
      tensor: tensor ?? null,
      operator: operator ?? null,
      redistribution: redistribution ?? null,
    });
  }, [tensor, operator, redistribution]);
}

function tell(told: Told): void {
  const origin = outerOrigin();
  if (parent !== window && origin !== undefined) parent.postMessage(told, origin);
}

/** The origin of the page around; nothing is told to one that cannot be named. */
function outerOrigin(): string | undefined {
  const [nearest] = "ancestorOrigins" in location ? [...location.ancestorOrigins] : [];
  if (nearest !== undefined && nearest !== "null") return nearest;
  try {
    return new URL(document.referrer).origin;
  } catch {
    return undefined; // the page around does not say who it is
  }
}
