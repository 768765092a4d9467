import { stateWords } from "#app/scene/text";
import { shown, tensorView } from "#app/state";
import { shownLayout } from "#compile";
import { Popover } from "../atoms/Popover.tsx";
import { DimChoices } from "../side/DimMenu.tsx";
import { useApp } from "../store-context.tsx";

/** Choices of a dim as a sheet at the bottom, for touch. */
export function DimSheet() {
  const choosing = useApp((state) => state.choosing);
  const compiled = useApp(shown);
  const choose = useApp((state) => state.choose);
  const tensor = compiled?.graph.tensors.find(({ id }) => id === choosing?.tensor);
  const view = compiled && tensor && tensorView(compiled, tensor.id);
  if (choosing === undefined || tensor === undefined || view === undefined) return null;
  const name = tensor.dimNames[choosing.dim] ?? choosing.dim;
  const layout = shownLayout(view);
  const axes = (layout.dims[choosing.dim]?.parts ?? []).flatMap((part) =>
    part.kind === "axis" ? [part.axis] : [],
  );
  return (
    <>
      <div className="sheet-veil" aria-hidden="true" />
      <Popover
        className="psheet"
        label={`Split ${tensor.name}.${name}`}
        onClose={() => choose(undefined)}
      >
        <h3>
          Split{" "}
          <b className="mono">
            {tensor.name}.{name}
          </b>
          <span>
            {tensor.shape[choosing.dim]}, now {axes.length === 0 ? "whole" : axes.join(", ")}
            {stateWords(view)}
          </span>
        </h3>
        <DimChoices tensor={tensor} layout={layout} dim={choosing.dim} />
      </Popover>
    </>
  );
}
