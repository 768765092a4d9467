import { Check } from "lucide-react";
import { type FormEvent, useState } from "react";
import { formatBytes } from "#app/scene/text";
import type { Basis } from "#core/cost";
import {
  hardwareOf,
  type Machine,
  machinePresets,
  machineSize,
  parseMachine,
} from "#core/cost/machines";
import { Icon } from "../atoms/Icon.tsx";
import { Popover } from "../atoms/Popover.tsx";
import { useAppStore } from "../store-context.tsx";
import { rateText } from "./link-text.ts";
import { MachineFigures } from "./MachineFigures.tsx";
import type { Machined } from "./use-machined.ts";

interface Props {
  readonly compiled: Machined;
  readonly onClose: () => void;
}

/** Figures of the machine, and the preset machines. */
export function MachineChoices({ compiled, onClose }: Props) {
  return (
    <Popover className="machine-pop" label="Machine" onClose={onClose}>
      <MachineFigures key={compiled.hardware.name} compiled={compiled} />
      <Presets compiled={compiled} onChosen={onClose} />
    </Popover>
  );
}

interface PresetsProps {
  readonly compiled: Machined;
  readonly onChosen: () => void;
}

function Presets({ compiled, onChosen }: PresetsProps) {
  const store = useAppStore();
  const [hasSizes, setSizes] = useState(compiled.mesh.mesh.axes.length === 0);
  const [fault, setFault] = useState<string>();
  const choose = async (hardware: string) => {
    const machine = parseMachine(hardware);
    if (!machine.ok) return setFault(machine.diagnostics[0]?.message);
    const { sizes } = machine.value;
    const isSized = hasSizes && sizes.length > 0;
    const reason = await store
      .getState()
      .gesture({ kind: "set-hardware", hardware, ...(isSized && { sizes }) });
    if (reason === undefined) onChosen();
    else setFault(reason);
  };
  return (
    <>
      <h3>Machines</h3>
      <label className="machine-sizes">
        <input
          type="checkbox"
          checked={hasSizes}
          onChange={(event) => setSizes(event.currentTarget.checked)}
        />
        Size the axes after the machine
      </label>
      <div className="machine-list">
        {machinePresets.map((preset) => (
          <Preset
            key={preset}
            text={preset}
            compiled={compiled}
            onPress={() => void choose(preset)}
          />
        ))}
      </div>
      <OwnMachine onChosen={(hardware) => void choose(hardware)} />
      {fault !== undefined && (
        <p className="machine-fault" role="alert">
          {fault}.
        </p>
      )}
    </>
  );
}

/** Field for a machine that is no preset, such as `64x8xH100`. */
function OwnMachine({ onChosen }: { readonly onChosen: (hardware: string) => void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChosen(text.trim());
  };
  return (
    <form className="machine-own" onSubmit={submit}>
      <label>
        <span className="vh">Another machine</span>
        <input
          className="field mono"
          placeholder="64x8xH100"
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" className="btn line" disabled={text.trim() === ""}>
        Set
      </button>
    </form>
  );
}

interface PresetProps {
  readonly text: string;
  readonly compiled: Machined;
  readonly onPress: () => void;
}

function Preset({ text, compiled, onPress }: PresetProps) {
  const machine = parseMachine(text);
  if (!machine.ok) return null;
  const { name } = hardwareOf(machine.value);
  const isCurrent = compiled.hardware.name === name;
  return (
    <button type="button" className="machine-pick" aria-pressed={isCurrent} onClick={onPress}>
      <span>
        <b>{name}</b>
        <small>{presetText(machine.value)}</small>
      </span>
      {isCurrent && <Icon icon={Check} size={14} />}
    </button>
  );
}

/** Summary of a preset, such as `8 × 80.0 GB, 450 GB/s in a node, 50.0 GB/s between; measured`. */
function presetText(machine: Machine): string {
  const { chip } = machine;
  const count = machineSize(machine);
  const devices = `${count} × ${formatBytes(chip.memoryBytes)}`;
  const inside = chip.isTorus ? "a link" : "in a node";
  return `${devices}, ${rateText(chip.within.bandwidth)} ${inside}, ${rateText(chip.between.bandwidth)} between; ${basisWord(chip.basis)}`;
}

/** Source of the kernels' times, in a word. */
function basisWord(basis: Basis): string {
  return basis === "sheet" ? "by its data sheet" : basis;
}
