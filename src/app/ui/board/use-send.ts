import type { BoardPill } from "#app/scene/board";
import { type AppState, type AppStore, selectedRedistribution } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";

const played = (state: AppState) => selectedRedistribution(state)?.index;

type Sent = Pick<BoardPill, "redistribution" | "others" | "tensor">;

/** Whether redistributions that look alike are what is selected, and what a press on them does. */
export function useSend(sent: Sent) {
  const store = useAppStore();
  const selected = useApp(played);
  const isChosen = useApp((state) => state.selection.redistribution !== undefined);
  const all = [sent.redistribution, ...sent.others];
  const isSelected = isChosen && selected !== undefined && all.includes(selected);
  return { isSelected, press: () => pressSend(store, sent) };
}

/** Selects the first of redistributions that look alike; once one is selected, the next. */
export function pressSend(store: AppStore, { redistribution, others, tensor }: Sent): void {
  const { select, showSheet, selection } = store.getState();
  const all = [redistribution, ...others];
  const at = selection.redistribution === undefined ? -1 : all.indexOf(selection.redistribution);
  const next = all[(at + 1) % all.length] ?? redistribution;
  select(next === redistribution ? { redistribution, tensor } : { redistribution: next });
  showSheet("steps");
}
