import { EntryBar } from "./EntryBar.tsx";
import { Outline } from "./Outline.tsx";

/** Parts beside the text once the plan is drawn: its entries, and its outline. */
export function ProgramParts({ isOutline }: { readonly isOutline: boolean }) {
  return (
    <>
      <EntryBar />
      <Outline isVisible={isOutline} />
    </>
  );
}
