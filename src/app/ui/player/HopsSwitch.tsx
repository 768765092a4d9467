import type { Frame } from "#app/scene";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

const choices = [
  ["logical", "At once"],
  ["ring", "Ring"],
] as const;

/** Whether what can go round a ring is shown at once or hop by hop. */
export function HopsSwitch({ frame }: { readonly frame: Frame }) {
  const hops = useApp((state) => state.hops);
  const show = useApp((state) => state.showHops);
  if (!frame.canGoRound) return null;
  return <Segmented label="Hops" value={hops} choices={choices} onChange={show} />;
}
