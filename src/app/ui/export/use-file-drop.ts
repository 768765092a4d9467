import { useEffect } from "react";
import { useActions } from "../store-context.tsx";

/** A picture with a plan, or a text file, dropped anywhere on the page is opened. */
export function useFileDrop(): void {
  const actions = useActions();
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
      void file.arrayBuffer().then((buffer) => actions.openFile(new Uint8Array(buffer), file.name));
    };
    document.addEventListener("dragover", onOver, true);
    document.addEventListener("drop", onDrop, true);
    return () => {
      document.removeEventListener("dragover", onOver, true);
      document.removeEventListener("drop", onDrop, true);
    };
  }, [actions]);
}
