import { type ChangeEvent, useRef } from "react";
import { formatBytes } from "#app/scene/text";
import { useApp } from "../store-context.tsx";
import { weightsEnding } from "./own-weights.ts";

/** A file with numbers for parameters: chosen here, or dropped anywhere on the page. */
export function OwnWeights() {
  const weights = useApp((state) => state.runSettings.weights);
  const takeWeights = useApp((state) => state.takeWeights);
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    if (file !== undefined) takeWeights({ name: file.name, file });
    // Cleared, so that the same file can be chosen again after it has changed.
    currentTarget.value = "";
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={weightsEnding}
        hidden
        data-testid="weights-file"
        onChange={choose}
      />
      <button type="button" className="btn line" onClick={() => input.current?.click()}>
        Weights of a file
      </button>
      {weights !== undefined && (
        <>
          <span data-testid="weights-name">
            {weights.name} <span className="mut">{formatBytes(weights.file.size)}</span>
          </span>
          <button type="button" className="lk" onClick={() => takeWeights(undefined)}>
            Draw them instead
          </button>
        </>
      )}
      {weights === undefined && (
        <span className="mut">a {weightsEnding} file; it can be dropped on the page</span>
      )}
    </>
  );
}
