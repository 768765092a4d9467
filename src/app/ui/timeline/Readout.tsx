import type { MomentWords } from "#app/scene/timeline";

interface Props {
  readonly words: MomentWords;
  readonly isPeak: boolean;
  /** Selects what runs at the cursor; absent where nothing does. */
  readonly onOpen: (() => void) | undefined;
}

/** What runs at the cursor, its duration, its exposed part, and the memory held then. */
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
