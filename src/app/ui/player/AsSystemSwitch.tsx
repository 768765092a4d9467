import { memo } from "react";
import { shown } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

/** Whose steps are shown; only for a program that is written in the words of one system. */
export const AsSystemSwitch = memo(function AsSystemSwitch() {
  const title = useApp((state) => shown(state)?.system?.title);
  const isAsSystem = useApp((state) => state.isAsSystem);
  const show = useApp((state) => state.showAsSystem);
  if (title === undefined) return null;
  return (
    <Segmented
      label="Whose steps"
      value={isAsSystem ? "system" : "ours"}
      choices={[
        ["ours", "Ours"],
        ["system", title],
      ]}
      onChange={(value) => show(value === "system")}
    />
  );
});
