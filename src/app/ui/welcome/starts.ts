import { type AppState, type AppStore, drawn, exampleOf } from "#app/state";
import type { Compiled } from "#compile";

/** Way to start: an example, and the part of it to show. */
export interface Start {
  readonly name: string;
  readonly example: string;
  readonly show: (state: AppState, compiled: Compiled) => void;
}

/** Device shown by one of the starts. */
const asked = 5;

/** Starts that a first visit offers beside pasting a model. */
export const starts: readonly Start[] = [
  { name: "A Llama on 8 devices", example: "llama3-8b", show: () => {} },
  {
    name: "Why is there an all-gather?",
    example: "two-matmuls",
    show: ({ select, showSheet }, { program }) => {
      const gathered = program.redistributions[0];
      if (gathered === undefined) return;
      select({ redistribution: gathered.index });
      showSheet("steps");
    },
  },
  {
    name: "What does rank 5 hold?",
    example: "two-axes-one-dim",
    show: ({ showOn }, { graph, mesh }) => {
      const held = graph.tensors.find(({ name }) => name === "u");
      const device = mesh.mesh.devices.find((each) => each === asked);
      if (held !== undefined && device !== undefined) showOn(held.id, device);
    },
  },
];

/** Opens a start's example, and shows its part once the plan is drawn. */
export function begin(store: AppStore, open: (example: string) => void, start: Start): void {
  open(start.example);
  const isDrawn = (state: AppState) => {
    const isOpen = exampleOf(state)?.name === start.example;
    return isOpen && drawn(state)?.source === state.document.source;
  };
  const show = (state: AppState) => {
    const compiled = drawn(state);
    if (compiled !== undefined) start.show(state, compiled);
  };
  if (isDrawn(store.getState())) {
    show(store.getState());
    return;
  }
  const stop = store.subscribe((state) => {
    if (!isDrawn(state)) return;
    // `show` changes the state, so the subscription ends first.
    stop();
    show(state);
  });
}
