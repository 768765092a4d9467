import { useEffect, useRef, useState } from "react";

interface Props {
  readonly name: string;
  readonly testId: string;
  /** Values of the slider, in order. */
  readonly steps: readonly number[];
  /** Index of the present value in `steps`. */
  readonly at: number;
  readonly textOf: (value: number) => string;
  /** Called once the slider rests. */
  readonly onSlide: (value: number) => void;
}

/** Time in milliseconds without a move after which the slider rests. */
const restMilliseconds = 200;

/** Slider over a list of values; `onSlide` waits until it rests. */
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
  // The present value has reached the moved one, or was changed from elsewhere: drop the moved one.
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
