import { type CanvasLayout, type CanvasNode, openRunAround } from "#app/scene/graph";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useAppStore } from "../store-context.tsx";

/** Key `g`: opens the focused stack of blocks, or folds the open block around the focused node. */
export function useFoldKey(layout: CanvasLayout, current: string | undefined): void {
  const store = useAppStore();
  const toggle = () => {
    const { openRun, closeRun, selection } = store.getState();
    const focused = layout.nodes.find(({ id }) => id === focusedNode());
    const node =
      focused ??
      layout.nodes.find(
        (each) => each.kind === "operator" && each.operator === selection.operator,
      ) ??
      layout.nodes.find(({ id }) => id === current);
    const around = node === undefined ? undefined : openRunAround(layout, node);
    const stack = node?.kind === "stack" ? node : firstStack(layout);
    if (node?.kind !== "stack" && around !== undefined) closeRun(around);
    else if (stack !== undefined) openRun(stack.stack.runs[0]?.key ?? "");
    else if (layout.frames[0] !== undefined) closeRun(layout.frames[0].key);
  };
  useLetterKeys({ g: layout.frames.length > 0 || firstStack(layout) ? toggle : undefined });
}

function firstStack({ nodes }: CanvasLayout) {
  return nodes.find((node): node is CanvasNode & { kind: "stack" } => node.kind === "stack");
}

function focusedNode(): string | undefined {
  const element = document.activeElement;
  return element instanceof HTMLElement ? element.dataset["node"] : undefined;
}
