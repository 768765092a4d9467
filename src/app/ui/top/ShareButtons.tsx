import { Download, Link } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../atoms/Icon.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import type { SharePart } from "./SharePopover.tsx";

const SharePopover = lazy(async () => ({
  default: (await import("./SharePopover.tsx")).SharePopover,
}));

interface Props {
  /** Whether the button shows an icon in place of its word. */
  readonly isIcon?: boolean;
  /** Whether pictures and code have their own button. */
  readonly hasExport?: boolean;
}

/** Buttons of the share popover: for everything, and optionally for the files alone. */
export function ShareButtons({ isIcon = false, hasExport = false }: Props) {
  const share = useApp((state) => state.share);
  const openShare = useApp((state) => state.openShare);
  const closeShare = useApp((state) => state.closeShare);
  const [part, setPart] = useState<SharePart>("all");
  const isOpen = share.kind !== "closed";
  const close = () => {
    setPart("all");
    closeShare();
  };
  const press = (wanted: SharePart) => {
    if (isOpen && part === wanted) return close();
    setPart(wanted);
    openShare(`${location.origin}${location.pathname}`);
  };
  const isShare = isOpen && part === "all";
  const shared = {
    "data-testid": "share-link",
    "aria-expanded": isShare,
    onClick: () => press("all"),
  };
  return (
    <div className="menu-wrap share-wrap">
      {hasExport && (
        <button
          type="button"
          className="btn"
          data-testid="export"
          title="Save pictures, texts and code of this plan"
          aria-expanded={isOpen && part === "files"}
          onClick={() => press("files")}
        >
          <Icon icon={Download} size={15} />
          Export
        </button>
      )}
      {isIcon ? (
        <IconButton icon={Link} size={18} name="Share" {...shared} />
      ) : (
        <button type="button" className="btn solid" {...shared}>
          <Icon icon={Link} size={15} />
          Share
        </button>
      )}
      <Suspense fallback={null}>
        {share.kind !== "closed" && (
          <SharePopover key={part} share={share} part={part} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}
