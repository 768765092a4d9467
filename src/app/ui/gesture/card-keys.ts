import type { KeyboardEvent } from "react";
import type { CanvasNode } from "#app/scene/graph";
import { type AppStore, exampleOf, shown } from "#app/state";
import type { TensorId } from "#core/ir";
import { askForAxis } from "./ask-for-axis.ts";
import { press } from "./use-dim-target.ts";

/**
 * Does the action of a key on a card of the canvas: Enter goes on to its dims; false if the key has
 * none.
 */
export function pressCard(store: AppStore, node: CanvasNode, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const tensor = tensorOf(store, node);
  if (tensor === undefined) return false;
  if (/^[0-8]$/.test(event.key)) return pressTensor(store, tensor, event.key);
  if (event.key !== "Enter") return false;
  const { select, armedAxis } = store.getState();
  // While an axis is in hand, a card only leads to the dims of its tensor.
  const isChosen = node.kind === "operator" && armedAxis === undefined;
  select(isChosen ? { operator: node.operator, tensor } : { tensor });
  goToDims(store, tensor);
  return true;
}

/** The tensor that a card stands for: of an operator its result. */
function tensorOf(store: AppStore, node: CanvasNode): TensorId | undefined {
  if (node.kind === "tensor" || node.kind === "input") return node.tensor;
  if (node.kind !== "operator") return undefined;
  const operators = shown(store.getState())?.graph.operators;
  return operators?.find(({ id }) => id === node.operator)?.outputs[0]?.tensor;
}

/** The actions of digits on the selected tensor, while nothing else has the focus. */
export function digitKeys(store: AppStore): Readonly<Record<string, () => void>> {
  const act = (key: string) => () => {
    const { tensor } = store.getState().selection;
    if (tensor !== undefined) pressTensor(store, tensor, key);
  };
  return Object.fromEntries([..."012345678"].map((key) => [key, act(key)]));
}

/**
 * A digit on a tensor puts its axis on the only dim, or on the dim that the hint names. Where there
 * are several dims, the axis is taken in hand and the reader is asked for the dim.
 */
function pressTensor(store: AppStore, id: TensorId, key: string): boolean {
  const state = store.getState();
  const compiled = shown(state);
  const tensor = compiled?.graph.tensors.find((each) => each.id === id);
  if (compiled === undefined || tensor === undefined) return false;
  const axis = compiled.mesh.mesh.axes[Number(key) - 1]?.name;
  const hint = exampleOf(state)?.hint;
  const isHinted = hint !== undefined && hint.tensor === tensor.name && hint.axis === axis;
  const dim = tensor.shape.length === 1 ? 0 : isHinted ? hint.dim : undefined;
  state.select({ tensor: id });
  if (tensor.shape.length === 0) {
    state.say({ kind: "refused", text: `${tensor.name} is one number: it has no dim to split.` });
  } else if (dim !== undefined || (axis === undefined && key !== "0")) {
    press(store, { tensor: id, dim: dim ?? 0 }, { key });
  } else {
    if (axis === undefined)
      state.say({ kind: "refused", text: `Press 0 on a dim of ${tensor.name}.` });
    else state.armAxis(axis);
    if (axis !== undefined) askForAxis(store, axis);
    goToDims(store, id);
  }
  return true;
}

/** The number of frames to wait for the dims to be on the page. */
const patience = 20;

/** Gives the focus to the first dim of a tensor, where its dims are listed. */
export function goToDims(store: AppStore, tensor: TensorId): void {
  store.getState().showSheet("tensor");
  let frames = 0;
  const look = () => {
    const dim = document.querySelector(`.dims [data-tensor="${CSS.escape(tensor)}"] .dim-hit`);
    frames += 1;
    if (dim instanceof HTMLElement) dim.focus();
    else if (frames < patience) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
