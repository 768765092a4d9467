import { EntryBar } from "./EntryBar.tsx";
import { Outline } from "./Outline.tsx";

/** Parts of the program panel that appear when the plan is drawn: the entries and the outline. */
export function ProgramParts({ isOutline }: { readonly isOutline: boolean }) {
  return (
    <>
      <EntryBar />
      <Outline isVisible={isOutline} />
    </>
  );
}
