import { useState } from "react";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { faultReport } from "./fault-report.ts";

/**
 * After an internal fault: a button to try again, and one that copies a report without the plan.
 */
export function FaultTools() {
  const { tryAgain } = useActions();
  const store = useAppStore();
  const message = useApp((state) =>
    state.compiled.kind === "failed" ? state.compiled.message : undefined,
  );
  const [copied, setCopied] = useState<string | undefined>(undefined);
  if (message === undefined) return null;
  const copy = () => {
    const { source } = store.getState().document;
    void navigator.clipboard
      .writeText(faultReport(message, source, navigator.userAgent))
      .then(() => setCopied(message));
  };
  return (
    <span className="fault-tools">
      <button type="button" className="lk" onClick={tryAgain}>
        Try again
      </button>
      {message !== "stopped" && (
        <button type="button" className="lk" onClick={copy}>
          {copied === message ? "Report copied" : "Copy a report"}
        </button>
      )}
    </span>
  );
}
