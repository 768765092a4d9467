import { Lightbulb, X } from "lucide-react";
import { useState } from "react";
import { formatBytes, hueOf } from "#app/scene";
import { drawn, exampleOf } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { hasOnlyFingers } from "../screen.ts";
import { useApp } from "../store-context.tsx";

/** The one edit worth trying first, on an example as it came. */
export function Hint({ isTouch = false }: { readonly isTouch?: boolean }) {
  const hint = useApp((state) => exampleOf(state)?.hint);
  const compiled = useApp(drawn);
  const [isDismissed, dismiss] = useState(false);
  if (hint === undefined || compiled === undefined || isDismissed) return null;
  const { mesh } = compiled.mesh;
  const redistribution = compiled.program.redistributions[0];
  const tensor = compiled.graph.tensors.find(({ name }) => name === hint.tensor);
  const key = mesh.axes.findIndex(({ name }) => name === hint.axis) + 1;
  if (redistribution === undefined || tensor === undefined || key === 0) return null;
  const axis = <AxisChip tag={{ text: hint.axis, hue: hueOf(mesh, hint.axis) }} />;
  const target = (
    <b className="mono">
      {hint.tensor}.{tensor.dimNames[hint.dim] ?? hint.dim}
    </b>
  );
  return (
    <div className="hint" role="note">
      <Lightbulb className="ico" size={15} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <b className="mono">{redistribution.tensor}</b> is sent around,{" "}
        <span className="nowrap">{formatBytes(redistribution.bytes)}.</span>{" "}
        {isTouch || hasOnlyFingers() ? (
          <>
            Tap {target} and choose {axis}.
          </>
        ) : (
          <>
            Drop {axis} on {target}, or press {key} on it.
          </>
        )}
      </p>
      <IconButton icon={X} size={14} name="Dismiss the hint" onClick={() => dismiss(true)} />
    </div>
  );
}
