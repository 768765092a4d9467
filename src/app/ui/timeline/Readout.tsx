import type { MomentWords } from "#app/scene/timeline";

interface Props {
  readonly words: MomentWords;
  readonly isPeak: boolean;
  /** Selects the item at the cursor; absent if nothing runs there. */
  readonly onOpen: (() => void) | undefined;
}

/**
 * Readings at the cursor: the running items, their durations, the exposed part, and the held
 * memory.
 */
export function Readout({ words: { at, lanes, memory }, isPeak, onOpen }: Props) {
  return (
    <figcaption className="readout" data-testid="timeline-readout">
      <b className="n">{at}</b>
      {lanes.length === 0 && <span className="mut">nothing runs</span>}
      {lanes.map(({ lane, name, figures, isExposed }) => (
        <span key={lane} title={`${lane}: ${name}, ${figures}`}>
          {isExposed && <i className="exposed-mark" aria-hidden="true" />}
          <span className="mut">{isExposed ? `${lane} waits for` : lane}</span>{" "}
          <span className="mono">{name}</span> <b>{figures}</b>
        </span>
      ))}
      {memory !== undefined && (
        <span className="held">
          <span className="mut">memory</span> <b>{memory}</b>
          {isPeak && ", the peak"}
        </span>
      )}
      {onOpen !== undefined && (
        <button type="button" className="lk" onClick={onOpen}>
          Select it
        </button>
      )}
    </figcaption>
  );
}
