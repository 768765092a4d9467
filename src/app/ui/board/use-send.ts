import type { BoardPill } from "#app/scene/board";
import { type AppState, type AppStore, selectedRedistribution } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";

const played = (state: AppState) => selectedRedistribution(state)?.index;

type Sent = Pick<BoardPill, "redistribution" | "others" | "tensor">;

/**
 * Whether one of the redistributions behind a pill is selected, and the handler of a press on the
 * pill.
 */
export function useSend(sent: Sent) {
  const store = useAppStore();
  const selected = useApp(played);
  const isChosen = useApp((state) => state.selection.redistribution !== undefined);
  const all = [sent.redistribution, ...sent.others];
  const isSelected = isChosen && selected !== undefined && all.includes(selected);
  return { isSelected, press: () => pressSend(store, sent) };
}

/** Selects the first of the redistributions behind a pill; if one is selected, the next. */
export function pressSend(store: AppStore, { redistribution, others, tensor }: Sent): void {
  const { select, showSheet, selection } = store.getState();
  const all = [redistribution, ...others];
  const at = selection.redistribution === undefined ? -1 : all.indexOf(selection.redistribution);
  const next = all[(at + 1) % all.length] ?? redistribution;
  select(next === redistribution ? { redistribution, tensor } : { redistribution: next });
  showSheet("steps");
}
