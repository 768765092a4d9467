import { useEffect, useState } from "react";
import type { OpenLesson } from "#app/state";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { useLessonDesk } from "./lesson-desk.ts";

/** The end of a lesson as a link, for whoever teaches. */
export function ResultLink({ opened }: { readonly opened: OpenLesson }) {
  const { resultLink } = useLessonDesk();
  const [link, setLink] = useState<{ readonly of: OpenLesson; readonly fragment: string }>();
  const [isRefused, refuse] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    resultLink().then(
      (fragment) => isCurrent && fragment !== undefined && setLink({ of: opened, fragment }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [opened, resultLink]);
  if (link === undefined || link.of !== opened) return null;
  const address = `${location.origin}${location.pathname}${link.fragment}`;
  return (
    <div className="lesson-result" data-testid="lesson-result">
      <p>
        <b>Result link.</b> It has your answers and the plans that met the goals, for whoever
        teaches. It proves nothing about who did it.
      </p>
      <div className="lesson-row">
        <input
          className="field mono"
          readOnly
          aria-label="Result link"
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton
          text={address}
          className="btn line"
          label="the result link"
          onRefused={() => refuse(true)}
        />
      </div>
      {isRefused && (
        <p role="alert">The browser does not let the page copy: copy it from the field.</p>
      )}
    </div>
  );
}
