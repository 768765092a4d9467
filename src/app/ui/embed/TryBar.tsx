import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { wholeLink } from "#app/embedding";
import { Icon } from "../atoms/Icon.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { useMessages } from "./use-messages.ts";

/**
 * A line above a plan that is changed inside another page: the changes are not kept, and where they
 * would be.
 */
export function TryBar() {
  const href = useOwnLink();
  useMessages();
  return (
    <aside className="try-bar" aria-label="Try it" data-testid="try-bar">
      <span>Nothing that you change here is kept.</span>
      <a className="btn line" href={href} target="_blank" rel="noopener" data-testid="own-copy">
        <Icon icon={ExternalLink} size={14} />
        Open as my copy
      </a>
    </aside>
  );
}

/** The link of the text as it is now. */
function useOwnLink(): string {
  const { linkNow } = useActions();
  const source = useApp((state) => state.document.source);
  const [href, setHref] = useState(() => wholeLink(location.href));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is of the text on screen
  useEffect(() => {
    let isCurrent = true;
    linkNow().then(
      (fragment) => isCurrent && setHref(`${location.origin}${location.pathname}${fragment}`),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [linkNow, source]);
  return href;
}
