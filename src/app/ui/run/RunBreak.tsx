import { useState } from "react";
import { allSteps } from "#app/scene";
import type { Compiled, RunFault } from "#app/state";
import { tensorId } from "#core/ir";
import { partSize } from "#core/mesh";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";
import { stepNames } from "./step-names.ts";

type How = RunFault["how"];

const hows = [
  ["drop", "Leave out"],
  ["swap", "Swap order"],
  ["cut", "Cut wrong dim"],
] as const;

const meanings: Readonly<Record<How, string>> = {
  drop: "Nobody sends anything there: every device goes on with what it has.",
  swap: "The first two devices of every group take each other's place.",
  cut: "Devices get parts of the right size, cut along another dim.",
};

/** A fault to put in on purpose, to see where it shows first. */
export function RunBreak({ compiled }: { readonly compiled: Compiled }) {
  const [how, setHow] = useState<How>("drop");
  const [wanted, want] = useState<string>();
  const startRun = useApp((state) => state.startRun);
  const isRunning = useApp((state) => state.run.kind === "running");
  const places = how === "cut" ? cutTensors(compiled) : collectives(compiled);
  const chosen = places.find(([value]) => value === wanted) ?? places[0];
  const start = () => {
    if (chosen === undefined) return;
    const [value] = chosen;
    const fault = how === "cut" ? { tensor: tensorId(value), how } : { step: Number(value), how };
    void startRun(fault);
  };
  return (
    <div className="run-part run-break">
      <h3>Break it on purpose</h3>
      <Segmented label="Fault" choices={hows} value={how} onChange={setHow} />
      <p className="mut">{meanings[how]}</p>
      {chosen === undefined ? (
        <p>
          {how === "cut"
            ? "No input or parameter with two dims is cut."
            : "No collective: there is nothing to leave out or to swap."}
        </p>
      ) : (
        <div className="run-row">
          <select
            className="field"
            aria-label={how === "cut" ? "Tensor that is cut" : "Collective"}
            value={chosen[0]}
            onChange={(event) => want(event.currentTarget.value)}
          >
            {places.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="btn line"
            data-testid="run-broken"
            disabled={isRunning}
            onClick={start}
          >
            Run it broken
          </button>
        </div>
      )}
    </div>
  );
}

type BreakChoice = readonly [value: string, text: string];

function collectives(compiled: Compiled): readonly BreakChoice[] {
  const named = stepNames(compiled);
  return allSteps(compiled.program).flatMap((step, at): readonly BreakChoice[] =>
    step.kind === "collective" && step.collective !== "slice"
      ? [[String(at), `${at + 1} ${named(step)}`]]
      : [],
  );
}

/** Inputs and parameters that are cut, and have another dim. */
function cutTensors({ program }: Compiled): readonly BreakChoice[] {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  return program.graph.tensors.flatMap(({ id, name, shape, producer }): readonly BreakChoice[] => {
    const made = program.made.get(id);
    const layout = made && layouts.get(made);
    const isCut = layout?.dims.some(({ parts }) => parts.some((part) => partSize(part) > 1));
    return producer === undefined && shape.length > 1 && isCut === true ? [[id, name]] : [];
  });
}
