import { useId } from "react";
import { useStop } from "./one-stop.ts";

interface Props<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
}

/** Radio group with all choices visible: one tab stop, arrow keys move the choice. */
export function Segmented<T extends string>({ label, value, choices, onChange }: Props<T>) {
  const name = useId();
  const stop = useStop(label);
  return (
    <fieldset className="seg">
      <legend className="vh">{label}</legend>
      {choices.map(([choice, text]) => (
        <label key={choice}>
          <input
            className="vh"
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
            {...stop}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
