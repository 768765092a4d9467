import { useEffect } from "react";
import { isWeights } from "../run/own-weights.ts";
import { useActions, useApp } from "../store-context.tsx";

/**
 * A picture with a plan, or a text file, dropped anywhere on the page is opened; of a file with
 * weights the next run takes its numbers.
 */
export function useFileDrop(): void {
  const actions = useActions();
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
      if (isWeights(file)) {
        takeWeights({ name: file.name, file });
        return;
      }
      void file.arrayBuffer().then((buffer) => actions.openFile(new Uint8Array(buffer), file.name));
    };
    document.addEventListener("dragover", onOver, true);
    document.addEventListener("drop", onDrop, true);
    return () => {
      document.removeEventListener("dragover", onOver, true);
      document.removeEventListener("drop", onDrop, true);
    };
  }, [actions, takeWeights]);
}
