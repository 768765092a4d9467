import { memo } from "react";
import { shown } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

/** Switches between our steps and the system's; only for a program in the words of one system. */
export const UpstreamRunSwitch = memo(function UpstreamRunSwitch() {
  const title = useApp((state) => shown(state)?.system?.title);
  const showsUpstream = useApp((state) => state.showsUpstream);
  const show = useApp((state) => state.showUpstreamRun);
  if (title === undefined) return null;
  return (
    <Segmented
      label="Whose steps"
      value={showsUpstream ? "system" : "ours"}
      choices={[
        ["ours", "Ours"],
        ["system", title],
      ]}
      onChange={(value) => show(value === "system")}
    />
  );
});
