import type { Ask } from "#app/lessons";

interface Props {
  readonly ask: Extract<Ask, { kind: "cells" }>;
  readonly cells: readonly number[];
  /** The right ones, once the answer is given. */
  readonly right: readonly number[] | undefined;
  readonly isGiven: boolean;
  readonly onChange: (cells: readonly number[]) => void;
}

/** A tensor in parts, of which some are chosen. */
export function CellsField({ ask, cells, right, isGiven, onChange }: Props) {
  const { rows, columns } = ask;
  const toggle = (cell: number) =>
    onChange(cells.includes(cell) ? cells.filter((each) => each !== cell) : [...cells, cell]);
  return (
    <ul
      className="lesson-cells"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(44px, 1fr))` }}
    >
      {Array.from({ length: rows * columns }, (_, cell) => {
        const name = cellName(ask, cell);
        const isRight = right?.includes(cell);
        return (
          <li key={name}>
            <label data-right={isRight}>
              <input
                type="checkbox"
                checked={cells.includes(cell)}
                disabled={isGiven}
                onChange={() => toggle(cell)}
              />
              <span>
                {name}
                {isRight === true && <b className="lesson-right"> Right</b>}
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}

/** `Row part 3`, with columns `3, 2`. */
function cellName({ rows, columns }: Props["ask"], cell: number): string {
  const [row, column] = [Math.floor(cell / columns) + 1, (cell % columns) + 1];
  if (columns === 1) return `Part ${row} of ${rows}`;
  return rows === 1 ? `Part ${column} of ${columns}` : `Rows ${row}, columns ${column}`;
}
