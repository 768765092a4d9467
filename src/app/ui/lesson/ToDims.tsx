import { selectedTensor } from "#app/state";
import { goToDims } from "../gesture/card-keys.ts";
import { keysHere } from "../palette/keys-here.ts";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useScreen } from "../screen.ts";
import { useApp, useAppStore } from "../store-context.tsx";

/**
 * A link for keyboards from a lesson to the dims of the tensor in view; visible while it has the
 * focus.
 */
export function ToDims() {
  const store = useAppStore();
  const tensor = useApp(selectedTensor);
  const hasLetters = useApp((state) => state.settings.hasLetterKeys);
  // On a phone there is no tensor panel to go to.
  const isBeside = useScreen() !== "phone";
  const go = isBeside && tensor !== undefined ? () => goToDims(store, tensor.id) : undefined;
  useLetterKeys({ t: go });
  if (go === undefined || tensor === undefined) return null;
  return (
    <button type="button" className="btn line to-dims" onClick={go}>
      <span>
        To the dims of {tensor.name}
        {hasLetters && (
          <>
            : <kbd>T</kbd>, to the text: <kbd>E</kbd>, and back here: <kbd>L</kbd>; out of the text:{" "}
            <kbd>{keysHere("Ctrl K")}</kbd>, “lesson”
          </>
        )}
      </span>
    </button>
  );
}
