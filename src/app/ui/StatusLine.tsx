import { X } from "lucide-react";
import { useEffect } from "react";
import { IconButton } from "./atoms/IconButton.tsx";
import { useApp } from "./store-context.tsx";

/** Time in milliseconds for which a message of a done action stays. */
const saidFor = 6000;

/** Live region with the last action, or the reason why it was refused. */
export function StatusLine() {
  const notice = useApp((state) => state.notice);
  const armed = useApp((state) => state.armedAxis);
  const say = useApp((state) => state.say);
  const gesture = useApp((state) => state.gesture);
  const instead = notice?.instead;
  useEffect(() => {
    if (notice?.kind !== "said") return;
    const handle = setTimeout(() => say(undefined), saidFor);
    return () => clearTimeout(handle);
  }, [notice, say]);
  const isRefused = notice?.kind === "refused";
  return (
    <div aria-live="polite" aria-atomic="true" data-testid="status">
      {notice?.kind === "said" && <p className="vh">{notice.text}</p>}
      {isRefused && (
        <p className="statusline">
          <span>{notice.text}</span>
          {instead !== undefined && (
            <button
              type="button"
              className="btn line"
              title={`${instead.label} (Enter)`}
              onClick={() => {
                say(undefined);
                void gesture(instead.gesture);
              }}
            >
              Move it here
            </button>
          )}
          <IconButton icon={X} size={14} name="Dismiss" onClick={() => say(undefined)} />
        </p>
      )}
      {armed !== undefined && !isRefused && (
        <p className="statusline">
          <span>
            Press a dim to split it over <b className="mono">{armed}</b>. Escape lets go.
          </span>
        </p>
      )}
    </div>
  );
}
