import { Pin, PinOff } from "lucide-react";
import type { Tensor } from "#core/ir";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { useIsPinned } from "../use-status.ts";

/** Writes into the text that the planner leaves a tensor and its operator as they are, or may not. */
export function PinButton({ tensor: { id, name } }: { readonly tensor: Tensor }) {
  const isPinned = useIsPinned(id);
  const gesture = useApp((state) => state.gesture);
  return (
    <IconButton
      icon={isPinned ? PinOff : Pin}
      size={14}
      name={isPinned ? `Unpin ${name}` : `Pin ${name}: the planner leaves it as it is`}
      testId="pin-tensor"
      onClick={() => void gesture({ kind: "pin", name, isPinned: !isPinned })}
    />
  );
}
