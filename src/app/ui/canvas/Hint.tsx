import { Lightbulb, X } from "lucide-react";
import { useMemo, useState } from "react";
import { formatBytes, hueOf } from "#app/scene";
import { type AppState, drawn, exampleOf, hintOf, isStale } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { hasOnlyFingers } from "../screen.ts";
import { useApp } from "../store-context.tsx";

/** Where a plan is only looked at, or is not that of the text, no edit is worth a hint. */
const isLocked = (state: AppState) => state.mode === "embed" || isStale(state);

/** The one edit worth trying first, on an example as it came, by the ways that there are here. */
export function Hint({ isTouch = false }: { readonly isTouch?: boolean }) {
  const wanted = useApp((state) => exampleOf(state)?.hint);
  const compiled = useApp(drawn);
  const locked = useApp(isLocked);
  const hint = useMemo(() => hintOf(wanted, compiled), [wanted, compiled]);
  const [isDismissed, dismiss] = useState(false);
  if (hint === undefined || compiled === undefined || locked || isDismissed) return null;
  const { redistribution, key } = hint;
  const { mesh } = compiled.mesh;
  const axis = <AxisChip tag={{ text: hint.axis, hue: hueOf(mesh, hint.axis) }} />;
  const target = <b className="mono">{hint.dim}</b>;
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
            Drop {axis} on {target}
            {key !== undefined && (
              <>
                , or click <b className="mono">{hint.tensor}</b> and press {key}
              </>
            )}
            .
          </>
        )}
      </p>
      <IconButton icon={X} size={14} name="Dismiss the hint" onClick={() => dismiss(true)} />
    </div>
  );
}
