import { useState } from "react";
import { faultNames, invisibleFault, type RunFault } from "#app/engine";
import { allSteps } from "#app/scene";
import { faultIn, plannedFault } from "#app/state/run";
import type { Compiled } from "#compile";
import { tensorId } from "#core/ir";
import { partSize } from "#core/mesh";
import { useApp } from "../store-context.tsx";
import { BrokenButton } from "./BrokenButton.tsx";
import { stepNames } from "./step-names.ts";

type How = RunFault["how"];

const names: Readonly<Record<How, string>> = { ...faultNames, cut: "Cut wrong dim" };
const hows = ["drop", "swap", "group", "order", "stale", "scale", "cut"] as const;

const meanings: Readonly<Record<How, string>> = {
  drop: "Nothing is sent there: every device goes on with its own data.",
  swap: "The first two devices of every group take each other's place.",
  group: "Two groups exchange a device, which then receives blocks of the wrong group.",
  order: "The devices of every group send and receive one place further on.",
  stale: "One device goes on with the block that it had before.",
  scale: "A factor is left out: what arrives is as often too large as a group has devices.",
  cut: "Devices get parts of the right size, cut along another dim.",
};

/** Choice of a fault to inject, to see where it first shows; a link may preset it. */
export function RunBreak({ compiled }: { readonly compiled: Compiled }) {
  const { gone, how, places, chosen, setHow, setPlace } = useFaultChoice(compiled);
  return (
    <div className="run-part run-break">
      <h3>Break it on purpose</h3>
      {gone !== undefined && (
        <p role="alert" data-testid="run-fault-gone">
          The fault of the link was in {gone.collective ?? "the cut"} of {gone.tensor}, which this
          plan does not have.
        </p>
      )}
      <div className="run-row">
        <Choice
          label="Fault"
          value={how}
          choices={hows.map((each) => [each, names[each]])}
          onChange={(next) => setHow(hows.find((each) => each === next) ?? "drop")}
        />
      </div>
      <p className="mut">{meanings[how]}</p>
      {chosen === undefined ? (
        <p>
          {how === "cut"
            ? "No input or parameter with two dims is cut."
            : "No collective: there is nothing to break."}
        </p>
      ) : (
        <>
          <div className="run-row">
            <Choice
              label={how === "cut" ? "Tensor that is cut" : "Collective"}
              value={chosen[0]}
              choices={places}
              onChange={setPlace}
            />
            <BrokenButton fault={faultOf(how, chosen[0])} />
          </div>
          <Planted compiled={compiled} fault={faultOf(how, chosen[0])} place={chosen[1]} />
        </>
      )}
      {chosen !== undefined && how !== "cut" && (
        <CannotShow
          compiled={compiled}
          fault={{ step: Number(chosen[0]), how }}
          onInstead={setHow}
        />
      )}
    </div>
  );
}

/** State of the choice: the kind of fault, the places where it can be, and the chosen place. */
function useFaultChoice(compiled: Compiled) {
  const planned = useApp((state) => state.plannedFault);
  const planFault = useApp((state) => state.planFault);
  const [wantedHow, wantHow] = useState<How>("drop");
  const found = planned && faultIn(compiled, planned);
  const how = found?.how ?? wantedHow;
  const places = placesOf(compiled, how);
  const chosen = places.find(([value]) => value === (found && placeOf(found))) ?? places[0];
  const choose = (next: How, place: string | undefined) => {
    wantHow(next);
    if (place !== undefined) planFault(plannedFault(compiled, faultOf(next, place)));
  };
  return {
    /** Preset fault whose place this plan does not have. */
    gone: found === undefined ? planned : undefined,
    how,
    places,
    chosen,
    setHow: (next: How) => {
      const others = placesOf(compiled, next);
      choose(next, (others.find(([value]) => value === chosen?.[0]) ?? others[0])?.[0]);
    },
    setPlace: (place: string) => choose(how, place),
  };
}

function placeOf(fault: RunFault): string {
  return fault.how === "cut" ? fault.tensor : String(fault.step);
}

interface PlantedProps {
  readonly compiled: Compiled;
  readonly fault: RunFault;
  readonly place: string;
}

/** Chosen fault by its name, with a link that opens the plan with it. */
function Planted({ compiled, fault, place }: PlantedProps) {
  const openShare = useApp((state) => state.openShare);
  const address = () => `${location.origin}${location.pathname}`;
  const where = fault.how === "cut" ? place : `step ${place}`;
  return (
    <p className="run-planted" data-testid="run-planted">
      Planted: {names[fault.how].toLowerCase()}, {where}.{" "}
      <button
        type="button"
        className="lk"
        onClick={() => openShare(address(), plannedFault(compiled, fault))}
      >
        Link to this fault
      </button>
    </p>
  );
}

function faultOf(how: How, value: string): RunFault {
  return how === "cut" ? { tensor: tensorId(value), how } : { step: Number(value), how };
}

type BreakChoice = readonly [value: string, text: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly BreakChoice[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <select
      className="field"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface CannotShowProps {
  readonly compiled: Compiled;
  readonly fault: Extract<RunFault, { readonly step: number }>;
  readonly onInstead: (how: How) => void;
}

/** Note that a fault changes nothing in its step, with a button for one that does. */
function CannotShow({ compiled, fault, onInstead }: CannotShowProps) {
  const found = invisibleFault(compiled.program, fault.step, fault.how);
  if (found === undefined) return null;
  const { why, instead } = found;
  return (
    <p data-testid="run-invisible">
      It cannot show here: {why}.{" "}
      {instead !== undefined && (
        <button type="button" className="lk" onClick={() => onInstead(instead)}>
          {faultNames[instead]} instead
        </button>
      )}
    </p>
  );
}

/** Places of a kind of fault: tensors for a wrong cut, else steps that send. */
function placesOf(compiled: Compiled, how: How): readonly BreakChoice[] {
  return how === "cut" ? cutTensors(compiled) : collectives(compiled);
}

function collectives(compiled: Compiled): readonly BreakChoice[] {
  const named = stepNames(compiled);
  return allSteps(compiled.program).flatMap((step, at): readonly BreakChoice[] =>
    step.kind === "collective" && step.collective !== "slice"
      ? [[String(at), `${at + 1} ${named(step)}`]]
      : [],
  );
}

/** Inputs and parameters of several dims, at least one of them cut. */
function cutTensors({ program }: Compiled): readonly BreakChoice[] {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  return program.graph.tensors.flatMap(({ id, name, shape, producer }): readonly BreakChoice[] => {
    const made = program.made.get(id);
    const layout = made && layouts.get(made);
    const isCut = layout?.dims.some(({ parts }) => parts.some((part) => partSize(part) > 1));
    return producer === undefined && shape.length > 1 && isCut === true ? [[id, name]] : [];
  });
}
