import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { fieldOf } from "#core/records";
import { type Stops, StopsContext } from "./one-stop.ts";

interface Props {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}

const steps: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/**
 * Radio groups that share one tab stop: arrow keys lead from the last choice of a group to the next
 * group.
 */
export function OneStop({ label, className, children }: Props) {
  const [groups, setGroups] = useState<readonly string[]>([]);
  const [focused, stopAt] = useState<string | undefined>(undefined);
  const current = focused !== undefined && groups.includes(focused) ? focused : groups[0];
  const stops = useMemo((): Stops => {
    const join = (group: string) => {
      setGroups((before) => [...before, group]);
      return () => setGroups((before) => before.filter((each) => each !== group));
    };
    return { current, stopAt, join };
  }, [current]);
  return (
    <StopsContext.Provider value={stops}>
      <div role="toolbar" className={className} aria-label={label} onKeyDown={leadOn}>
        {children}
      </div>
    </StopsContext.Provider>
  );
}

/**
 * Moves the focus to the next radio group when an arrow key leaves a group; browsers would wrap
 * around inside the group.
 */
function leadOn(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const step = fieldOf(steps, key);
  if (step === undefined || !(target instanceof HTMLInputElement)) return;
  const groups = [...currentTarget.querySelectorAll("fieldset")];
  const at = groups.findIndex((group) => group.contains(target));
  const here = groups[at]?.querySelectorAll("input");
  const isAtEnd = here?.[step > 0 ? here.length - 1 : 0] === target;
  if (groups.length < 2 || at < 0 || !isAtEnd) return;
  event.preventDefault();
  groups
    .at((at + step) % groups.length)
    ?.querySelector<HTMLElement>("input:checked")
    ?.focus();
}
