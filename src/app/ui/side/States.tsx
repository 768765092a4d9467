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

/** The states of a tensor to choose from, where it has more than one. */
export function States({ tensor, view }: Props) {
  if (view.reads === undefined) return null;
  return (
    <Suspense fallback={<div className="states" />}>
      <StateSwitch tensor={tensor} view={view} />
    </Suspense>
  );
}
