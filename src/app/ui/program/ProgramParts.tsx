import { EntryBar } from "./EntryBar.tsx";
import { Outline } from "./Outline.tsx";

/** What comes beside the text once the plan is drawn: what it could run, and its outline. */
export function ProgramParts({ isOutline }: { readonly isOutline: boolean }) {
  return (
    <>
      <EntryBar />
      <Outline isVisible={isOutline} />
    </>
  );
}
