import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Icon } from "../atoms/Icon.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import type { Machined } from "./use-machined.ts";

const MachineChoices = lazy(async () => ({
  default: (await import("./MachineChoices.tsx")).MachineChoices,
}));

/** Button with the machine of the plan; opens its figures and the preset machines. */
export function MachineMenu({ compiled }: { readonly compiled: Machined }) {
  const [isOpen, setOpen] = useState(false);
  const { hardware, hardwareStatus } = compiled;
  return (
    <span className="sp machine">
      <button
        type="button"
        className="btn"
        data-testid="machine"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title="The machine: its links and others to choose"
        onClick={() => setOpen(!isOpen)}
      >
        {hardware.name}
        {hardwareStatus !== "set" && <StatusMark status={hardwareStatus} />}
        <Icon icon={ChevronDown} size={13} />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <MachineChoices compiled={compiled} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}
