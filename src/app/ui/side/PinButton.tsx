import { Pin, PinOff, Route } from "lucide-react";
import type { Tensor } from "#core/ir";
import { IconButton } from "../atoms/IconButton.tsx";
import { useScreen } from "../screen.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useIsPinned } from "../use-status.ts";
import { useTogether } from "./use-together.ts";

/**
 * Toggle that writes into the text whether the planner must keep a tensor and its operator as they
 * are.
 */
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
 * Button that opens the planner at the ways to split a tensor's producer, where the planner opens
 * beside the canvas.
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
