import { useEffect, useState } from "react";
import type { OpenLesson } from "#app/state";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { useLessonDesk } from "./lesson-desk.ts";

/** The result of a finished lesson as a link for a teacher. */
export function ResultLink({ opened }: { readonly opened: OpenLesson }) {
  const link = useResultLink(opened);
  const [isRefused, refuse] = useState(false);
  return (
    <div className="lesson-result" data-testid="lesson-result">
      {link !== undefined && (
        <CopyButton
          text={link}
          className="btn line"
          words="Copy result link"
          onRefused={() => refuse(true)}
        />
      )}
      <span>Your answers and plans, for whoever teaches. It proves nothing about who did it.</span>
      {isRefused && link !== undefined && (
        <input
          className="field mono"
          readOnly
          aria-label="Result link, to copy by hand"
          value={link}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </div>
  );
}

/** The link of the lesson's present result; absent until it is computed. */
function useResultLink(opened: OpenLesson): string | undefined {
  const { resultLink } = useLessonDesk();
  const [link, setLink] = useState<{ readonly of: OpenLesson; readonly fragment: string }>();
  useEffect(() => {
    let isCurrent = true;
    // Without the code of links there is no link to copy.
    resultLink().then(
      (fragment) => isCurrent && fragment !== undefined && setLink({ of: opened, fragment }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [opened, resultLink]);
  if (link === undefined || link.of !== opened) return undefined;
  return `${location.origin}${location.pathname}${link.fragment}`;
}
