import type { LaneHead } from "#app/scene";

/** The heads of the columns in which a training step is drawn, with the lines between them. */
export function TrainingParts({ heads }: { readonly heads: readonly LaneHead[] }) {
  return (
    <div className="lane-heads">
      {heads.map(({ text, isParted, x, y, width, height }) => (
        <h3
          key={text}
          className={isParted ? "parted" : ""}
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        >
          {text}
        </h3>
      ))}
    </div>
  );
}
