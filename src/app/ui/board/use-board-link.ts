import type { BoardCard } from "#app/scene/board";
import type { AppState, Selection } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";
import { isWheeling } from "./wheeling.ts";

/** Operator, tensor or redistribution for which a piece of the board stands. */
type Piece = Pick<BoardCard, "operator" | "tensor" | "members"> & Pick<Selection, "redistribution">;

/**
 * Highlight of a piece while something is pointed at, and the handlers that report pointing at it.
 */
export function useBoardLink(piece: Piece) {
  const store = useAppStore();
  const light = useApp((state) => lightOf(state, piece));
  const { operator, tensor, redistribution } = piece;
  const point = () => {
    if (isWheeling()) return;
    const parts = {
      ...(operator !== undefined && { operator }),
      ...(operator === undefined && tensor !== undefined && { tensor }),
      ...(redistribution !== undefined && { redistribution }),
    };
    store.getState().linkParts(Object.keys(parts).length === 0 ? undefined : parts);
  };
  const leave = () => store.getState().linkParts(undefined);
  return { light, pointing: { onPointerEnter: point, onPointerLeave: leave } };
}

function lightOf({ linked }: AppState, piece: Piece): "" | "lit" | "unlit" {
  if (linked === undefined) return "";
  const { operator, tensor, redistribution, members } = piece;
  const isLit =
    redistribution === undefined
      ? (operator !== undefined && linked.operators.has(operator)) ||
        (operator === undefined && tensor !== undefined && linked.tensors.has(tensor)) ||
        members?.some((each) => linked.operators.has(each)) === true
      : linked.redistributions.has(redistribution);
  if (isLit) return "lit";
  return linked.by === "drawing" ? "" : "unlit";
}
