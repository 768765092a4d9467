import { useEffect, useRef, useState } from "react";

interface Props {
  readonly name: string;
  readonly testId: string;
  /** Its values, in order. */
  readonly steps: readonly number[];
  /** The index of the present value. */
  readonly at: number;
  readonly textOf: (value: number) => string;
  /** Called once it rests. */
  readonly onSlide: (value: number) => void;
}

/** Milliseconds without a move after which a slider rests. */
const restMilliseconds = 200;

/** A value on a slider; the effect is computed once the slider rests. */
export function Slider({ name, testId, steps, at, textOf, onSlide }: Props) {
  const [moved, setMoved] = useState<number>();
  const rests = useRef<() => void>(() => {});
  rests.current = () => {
    const value = moved === undefined ? undefined : steps[moved];
    if (value !== undefined) onSlide(value);
  };
  useEffect(() => {
    if (moved === undefined) return;
    const handle = setTimeout(() => rests.current(), restMilliseconds);
    return () => clearTimeout(handle);
  }, [moved]);
  // What stands has come to be what was slid to, or something else has changed it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change itself is what counts
  useEffect(() => setMoved(undefined), [at]);
  const shown = moved ?? at;
  const text = textOf(steps[shown] ?? 0);
  return (
    <label className="planner-slider">
      <span className="name">{name}</span>
      <output className="num">{text}</output>
      <input
        type="range"
        data-testid={testId}
        min={0}
        max={steps.length - 1}
        value={shown}
        aria-valuetext={text}
        onChange={(event) => setMoved(Number(event.currentTarget.value))}
      />
    </label>
  );
}
