import { useEffect } from "react";
import { drawn } from "#app/state";
import { parameterNumbers } from "#core/ir";
import { isWeights } from "../run/own-weights.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { openGiven } from "./open-given.ts";

/**
 * Opens a file that is dropped anywhere on the page: a picture with a plan or a text file as a
 * plan, a file in another project's format as a program, and a file of weights as the numbers of
 * the next run, where the program has parameters.
 */
export function useFileDrop(): void {
  const actions = useActions();
  const store = useAppStore();
  const takeWeights = useApp((state) => state.takeWeights);
  useEffect(() => {
    const hasFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const onOver = (event: DragEvent) => {
      if (hasFile(event)) event.preventDefault();
    };
    const onDrop = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const graph = drawn(store.getState())?.graph;
      if (isWeights(file) && graph !== undefined && parameterNumbers(graph) > 0) {
        takeWeights({ name: file.name, file });
        void actions.openPublished({ name: file.name, content: file }, { isHeld: true });
        return;
      }
      void openGiven(actions, file);
    };
    document.addEventListener("dragover", onOver, true);
    document.addEventListener("drop", onDrop, true);
    return () => {
      document.removeEventListener("dragover", onOver, true);
      document.removeEventListener("drop", onDrop, true);
    };
  }, [actions, store, takeWeights]);
}
