import { TabList } from "../atoms/TabList.tsx";
import { useApp } from "../store-context.tsx";
import { useLowerTab } from "./use-lower-tab.ts";

const tabs = [
  ["steps", "Steps"],
  ["time", "One step"],
] as const;

/**
 * The choice of the panel under the canvas: one redistribution at a time, or the whole step in
 * time.
 */
export function LowerTabs() {
  const tab = useLowerTab();
  const show = useApp((state) => state.showLower);
  return (
    <TabList
      className="lower-tabs"
      label="Under the canvas"
      tabs={tabs}
      value={tab}
      onChange={show}
    />
  );
}
