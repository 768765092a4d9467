import { RunButton } from "../run/RunButton.tsx";
import { RunPanel } from "../run/RunPanel.tsx";

/** Run of the plan, with the button that starts it. */
export function RunView() {
  return (
    <>
      <div className="head">
        <h2>Run</h2>
        <span className="sp" />
        <RunButton />
      </div>
      <RunPanel />
    </>
  );
}
