import { type KeyboardEvent, useRef } from "react";

interface Props<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight; arrow keys move, so it is one stop of the Tab key. */
export function Segmented<T extends string>({ label, value, choices, onChange }: Props<T>) {
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = choices.findIndex(([choice]) => choice === value);
    const next = (at + step + choices.length) % choices.length;
    const chosen = choices[next];
    if (chosen === undefined) return;
    onChange(chosen[0]);
    const button = group.current?.children[next];
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div className="seg" role="radiogroup" aria-label={label} ref={group} onKeyDown={onKeyDown}>
      {choices.map(([choice, text]) => (
        <button
          key={choice}
          type="button"
          role="radio"
          aria-checked={choice === value}
          tabIndex={choice === value ? 0 : -1}
          onClick={() => onChange(choice)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
