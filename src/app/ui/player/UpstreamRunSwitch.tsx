import { memo } from "react";
import { shown } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

/** Switch between Shardboard's steps and the system's, for a program written for one system. */
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
