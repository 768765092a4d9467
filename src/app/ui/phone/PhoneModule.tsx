import { ChevronDown, ChevronRight } from "lucide-react";
import type { ModuleLine, RedistributionLine } from "#app/scene/board";
import type { Compiled } from "#compile";
import { Icon } from "../atoms/Icon.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { useSend } from "../board/use-send.ts";
import { lineSaid, secondsText } from "../program/module-words.ts";
import { RunSteps } from "../program/RunSteps.tsx";
import { PhoneBadge } from "./PhoneBadge.tsx";

interface Props {
  readonly line: ModuleLine;
  readonly toggle: () => void;
}

/** Module in the list; a tap opens or folds it, buttons lead to equal modules. */
export function PhoneModule({ line, toggle }: Props) {
  const { key, name, runs, note, isOpen, seconds } = line;
  return (
    <div className="row-run">
      <button
        type="button"
        className="row1 row-block"
        data-testid={`module-${key}`}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Spoken sentence={lineSaid(line)}>
          <Icon icon={isOpen ? ChevronDown : ChevronRight} size={18} />
          <span className="module-words">
            <b>
              {name}
              {runs.length > 1 && ` ×${runs.length}`}
            </b>
            <span>{note}</span>
          </span>
          <span className="by">
            {secondsText(seconds.forward)}
            {seconds.backward > 0 && <span>{secondsText(seconds.backward)} backward</span>}
          </span>
        </Spoken>
      </button>
      {isOpen && runs.length > 1 && <RunSteps line={line} className="module-runs" size={18} />}
    </div>
  );
}

/** Redistribution of the operator above; its steps open below. */
export function PhoneSend({ line, compiled }: { line: RedistributionLine; compiled: Compiled }) {
  const { isSelected, press } = useSend(line);
  return (
    <PhoneBadge
      compiled={compiled}
      badge={line.badge}
      indices={[line.redistribution, ...line.others]}
      extra={{ onClick: press, "aria-pressed": isSelected }}
    />
  );
}
