import { useId, useState } from "react";
import { type AppState, shown } from "#app/state";
import type { Compiled } from "#compile";
import { product } from "#core/arithmetic";
import type { Tensor } from "#core/ir";
import { useApp } from "../store-context.tsx";
import { readNumbers } from "./read-numbers.ts";

/** The most cells of a tensor whose numbers can be typed. */
const mostCells = 64;

/** The reader's own numbers for small inputs and parameters; all others are drawn from the seed. */
export function OwnNumbers() {
  const compiled = useApp(shown);
  const own = useApp((state) => state.runSettings.own);
  const [wanted, want] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const small = compiled === undefined ? [] : smallTensors(compiled);
  const chosen = small.find(({ name }) => name === wanted) ?? small[0];
  return (
    <details
      className="run-own"
      data-testid="run-own"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Own numbers
        {own.length > 0 && (
          <span className="mut">: {own.map(({ tensor }) => tensor).join(", ")}</span>
        )}
      </summary>
      {isOpen && <GivenTensor small={small} chosen={chosen} onChoose={want} />}
    </details>
  );
}

interface GivenProps {
  readonly small: readonly Tensor[];
  readonly chosen: Tensor | undefined;
  readonly onChoose: (name: string) => void;
}

function GivenTensor({ small, chosen, onChoose }: GivenProps) {
  if (chosen === undefined) {
    return <p className="mut">No input or parameter has {mostCells} cells or fewer.</p>;
  }
  return (
    <>
      <select
        className="field"
        aria-label="Tensor that is given"
        value={chosen.name}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {small.map(({ name, shape }) => (
          <option key={name} value={name}>
            {name}, {shape.join("×") || "scalar"}
          </option>
        ))}
      </select>
      <NumbersField key={chosen.id} tensor={chosen} />
    </>
  );
}

function NumbersField({ tensor: { name, shape } }: { readonly tensor: Tensor }) {
  const id = useId();
  const own = useApp((state) => state.runSettings.own);
  const setRun = useApp((state) => state.setRun);
  const [text, setText] = useState(() => textOf(own, name));
  const cells = product(shape);
  const { numbers, fault } = readNumbers(text);
  const change = (next: string) => {
    setText(next);
    const read = readNumbers(next);
    const others = own.filter(({ tensor }) => tensor !== name);
    const isWhole = read.fault === undefined && read.numbers.length === cells;
    setRun({ own: isWhole ? [...others, { tensor: name, numbers: read.numbers }] : others });
  };
  const isTaken = fault === undefined && numbers.length === cells;
  return (
    <>
      <textarea
        className="field mono"
        aria-label={`Numbers of ${name}`}
        aria-describedby={id}
        rows={3}
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <p className={fault === undefined ? "mut" : "run-count"} id={id} data-taken={isTaken}>
        {fault === undefined
          ? `${numbers.length} of ${cells} numbers, row by row${isTaken ? "" : ": drawn from the seed until all are there"}`
          : `“${fault}” is no number: ${name} is drawn from the seed`}
      </p>
    </>
  );
}

function textOf(own: AppState["runSettings"]["own"], name: string): string {
  return Array.from(own.find(({ tensor }) => tensor === name)?.numbers ?? []).join(" ");
}

/** Inputs and parameters small enough to be typed. */
function smallTensors({ graph }: Compiled): readonly Tensor[] {
  return graph.tensors.filter(({ producer, role, shape }) => {
    const isGiven = producer === undefined && (role === "input" || role === "parameter");
    return isGiven && product(shape) <= mostCells;
  });
}
