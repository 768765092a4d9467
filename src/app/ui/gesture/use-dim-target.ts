import type { KeyboardEvent } from "react";
import { type DimTarget, type Preview, shown } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";

/** What every target of a dim does, wherever it is drawn: click, keys, and what a drop would do. */
export function useDimTarget(target: DimTarget) {
  const store = useAppStore();
  const axis = useApp((state) => state.drag?.axis ?? state.armedAxis);
  const isOver = useApp(
    (state) => state.drag?.over?.tensor === target.tensor && state.drag.over.dim === target.dim,
  );
  const preview = useApp((state) =>
    axis === undefined ? undefined : previewFor(state.previews.known, target, axis),
  );

  const onClick = () => {
    const { armedAxis, gesture, choose, select, choosing } = store.getState();
    select({ tensor: target.tensor });
    if (armedAxis !== undefined) void gesture({ kind: "split", ...target, axis: armedAxis });
    else choose(isSame(choosing, target) ? undefined : target);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-8]$/.test(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const { gesture, say } = store.getState();
    if (event.key === "0") return void gesture({ kind: "whole", ...target });
    const axes = shown(store.getState())?.mesh.mesh.axes ?? [];
    const named = axes[Number(event.key) - 1]?.name;
    if (named !== undefined) return void gesture({ kind: "split", ...target, axis: named });
    say({ kind: "refused", text: `The mesh has no axis ${event.key}.` });
  };

  const isRefused = preview !== undefined && !preview.outcome.ok;
  const className = `${isOver ? "over" : ""} ${isRefused ? "no" : ""}`.trim();
  return {
    className,
    handlers: {
      onClick,
      onKeyDown,
      "data-dim": target.dim,
      "data-tensor": target.tensor,
    },
  };
}

/** What is known of putting an axis on a dim. */
function previewFor(
  known: readonly Preview[],
  target: DimTarget,
  axis: string,
): Preview | undefined {
  return known.find(
    ({ gesture }) =>
      gesture.kind === "split" &&
      gesture.tensor === target.tensor &&
      gesture.dim === target.dim &&
      gesture.axis === axis,
  );
}

/** Whether two targets are the same dim. */
export function isSame(a: DimTarget | undefined, b: DimTarget): boolean {
  return a?.tensor === b.tensor && a.dim === b.dim;
}
