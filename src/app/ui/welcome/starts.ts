import { type AppState, type AppStore, drawn, exampleOf } from "#app/state";
import type { Compiled } from "#compile";

/** A way to begin: an example, and the part of it to look at. */
export interface Start {
  readonly name: string;
  readonly example: string;
  readonly show: (state: AppState, compiled: Compiled) => void;
}

/** The device that one of the starts shows. */
const asked = 5;

/** The starts of a first visit, besides pasting a model. */
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

/** Opens a start's example, and selects its part once the example is drawn. */
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
    // The selection changes the state again, so the listener ends first.
    stop();
    show(state);
  });
}
