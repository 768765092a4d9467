import { ChevronDown, ChevronLeft, ChevronRight } from "lucide-react";
import type { ModuleLine, SendLine } from "#app/scene/board";
import type { Compiled } from "#compile";
import { Icon } from "../atoms/Icon.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { useSend } from "../board/use-send.ts";
import { RedistributionButton } from "../canvas/BadgeNode.tsx";
import { lineSaid, secondsText } from "../program/module-words.ts";
import { useApp } from "../store-context.tsx";
import { stepsOf } from "../words.ts";
import { PhoneSteps } from "./PhoneSteps.tsx";

interface Props {
  readonly line: ModuleLine;
  readonly toggle: () => void;
}

/** A module of the list; a tap opens or folds it, and of equal ones leads to the next. */
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
      {isOpen && runs.length > 1 && <RunSteps line={line} />}
    </div>
  );
}

function RunSteps({ line: { key, runs, shown } }: { readonly line: ModuleLine }) {
  const showRunOf = useApp((state) => state.showRunOf);
  const step = (by: 1 | -1, name: string, icon: typeof ChevronLeft) => {
    const next = runs[shown + by];
    return (
      <button
        type="button"
        aria-label={name}
        disabled={next === undefined}
        onClick={() => next !== undefined && showRunOf(key, next)}
      >
        <Icon icon={icon} size={18} />
      </button>
    );
  };
  return (
    <span className="module-runs">
      {step(-1, "The layer before", ChevronLeft)}
      {step(1, "The next layer", ChevronRight)}
    </span>
  );
}

/** What is sent at the operator above; its steps open beneath it. */
export function PhoneSend({ line, compiled }: { line: SendLine; compiled: Compiled }) {
  const { isSelected, press } = useSend(line);
  const all = [line.redistribution, ...line.others];
  const redistribution = compiled.program.redistributions.find(
    ({ index }) => index === line.redistribution,
  );
  if (redistribution === undefined) return null;
  return (
    <>
      <div className="rowb">
        <RedistributionButton
          redistribution={redistribution}
          steps={stepsOf(compiled, redistribution)}
          badge={line.badge}
          isShort={false}
          extra={{ onClick: press, "aria-pressed": isSelected }}
        />
      </div>
      {all.map((index) => (
        <PhoneSteps key={index} index={index} />
      ))}
    </>
  );
}
