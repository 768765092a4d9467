import { Pin, PinOff, Route } from "lucide-react";
import type { Tensor } from "#core/ir";
import { IconButton } from "../atoms/IconButton.tsx";
import { useScreen } from "../screen.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useIsPinned } from "../use-status.ts";
import { useTogether } from "./use-together.ts";

/** Pins or unpins a tensor and its operator: the text tells the planner to keep their cuts. */
export function PinButton({ tensor: { id, name } }: { readonly tensor: Tensor }) {
  const isPinned = useIsPinned(id);
  const gesture = useApp((state) => state.gesture);
  const together = useTogether(id);
  const pinned = together === undefined ? name : `${name} ×${together}`;
  return (
    <IconButton
      icon={isPinned ? PinOff : Pin}
      size={14}
      name={isPinned ? `Unpin ${pinned}` : `Pin ${pinned}: the planner leaves it as it is`}
      testId="pin-tensor"
      onClick={() => void gesture({ kind: "pin", name, isPinned: !isPinned })}
    />
  );
}

/**
 * Opens the planner with the ways to split the operator that produces a tensor, where the planner
 * has a place beside what is on screen.
 */
export function WaysButton({ name }: { readonly name: string }) {
  const store = useAppStore();
  const isBeside = useScreen() !== "phone";
  const open = async () => {
    const { openWays } = await import("../planner/ways-operator.ts");
    openWays(store.getState(), name);
  };
  if (!isBeside) return null;
  return (
    <IconButton
      icon={Route}
      size={14}
      name={`Other ways to split ${name}`}
      testId="ways-tensor"
      onClick={() => void open()}
    />
  );
}
