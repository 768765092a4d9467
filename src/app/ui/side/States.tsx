import { lazy, Suspense } from "react";
import type { TensorView } from "#compile";
import type { Tensor } from "#core/ir";

const StateSwitch = lazy(async () => ({
  default: (await import("./StateSwitch.tsx")).StateSwitch,
}));

interface Props {
  readonly tensor: Tensor;
  readonly view: TensorView;
}

/** Choice of a tensor's state; nothing for a tensor of one state. */
export function States({ tensor, view }: Props) {
  if (view.reads === undefined) return null;
  return (
    <Suspense fallback={<div className="states" />}>
      <StateSwitch tensor={tensor} view={view} />
    </Suspense>
  );
}
