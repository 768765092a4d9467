import { lazy, Suspense, useRef } from "react";
import { type ShareStatus, titleOf } from "#app/state";
import { capitalized } from "#core/diagnostics";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { Popover } from "../atoms/Popover.tsx";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { useApp } from "../store-context.tsx";
import { ShareElsewhere } from "./ShareElsewhere.tsx";

const ExportSection = lazy(async () => ({
  default: (await import("../export/ExportSection.tsx")).ExportSection,
}));

/** The link with everything below it, or only what can be saved. */
export type SharePart = "all" | "files";

interface Props {
  readonly share: Exclude<ShareStatus, { kind: "closed" }>;
  readonly part: SharePart;
  readonly onClose: () => void;
}

const tiers = [
  ["anywhere", "2000", "any chat"],
  ["most-chats", "4000", "most chats"],
  ["address-bar", "8000", "address bars"],
  ["browser-only", "64 000", "browsers"],
] as const;

const titles = {
  all: ["Share plan", "The plan is inside the link"],
  files: ["Export", "The plan is inside the pictures"],
} as const;

/** The link, its length, and what that length means. */
export function SharePopover({ share, part, onClose }: Props) {
  const [title, what] = titles[part];
  return (
    <Popover className="share-pop" label={title} onClose={onClose}>
      <h2>
        {title} <span>{what}</span>
      </h2>
      {share.kind === "refused" ? (
        <p role="alert">No link: {share.refused.message}.</p>
      ) : (
        <>
          {part === "all" && <LinkField {...share} />}
          <PanelBoundary name="The pictures" attempt={share}>
            <Suspense fallback={null}>
              <ExportSection fragment={share.address.replace(/^[^#]*/, "")} />
            </Suspense>
          </PanelBoundary>
        </>
      )}
    </Popover>
  );
}

/** Hands the link to another app, where the browser can. */
function SendButton({ address }: { readonly address: string }) {
  const title = useApp(titleOf);
  if (!("share" in navigator)) return null;
  // Closing the browser's own sheet rejects, which is no fault.
  const send = () => void navigator.share({ title, url: address }).catch(() => undefined);
  return (
    <button type="button" className="btn line" onClick={send}>
      Send
    </button>
  );
}

function LinkField({ address, tier, leftOut }: Extract<ShareStatus, { kind: "open" }>) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="share-row">
        <input
          ref={field}
          readOnly
          data-testid="share-url"
          aria-label="Link to this plan"
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton
          className="btn solid"
          text={address}
          isFirst
          onRefused={() => field.current?.select()}
        />
        <SendButton address={address} />
      </div>
      <ul className="tiers" aria-hidden="true">
        {tiers.map(([name, length, meaning]) => (
          <li key={name} className={name === tier.tier ? "on" : ""}>
            {length}
            <br />
            {meaning}
          </li>
        ))}
      </ul>
      <p role="status">
        <b className="num">{tier.characters} characters.</b> {capitalized(tier.meaning)}.
      </p>
      {leftOut.length > 0 && (
        <p role="alert">
          The link leaves out characters of the text that are not to be seen: {leftOut.join(", ")}.
        </p>
      )}
      <ShareElsewhere address={address} />
    </>
  );
}
