import type { Ask } from "#app/lessons";

interface Props {
  readonly ask: Extract<Ask, { kind: "cells" }>;
  readonly cells: readonly number[];
  /** The right cells, once the answer is given. */
  readonly right: readonly number[] | undefined;
  readonly isGiven: boolean;
  readonly onChange: (cells: readonly number[]) => void;
}

/** The parts of a tensor as buttons, some of them chosen. */
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
                {columns === 1 || rows === 1 ? (
                  name
                ) : (
                  <>
                    <span aria-hidden="true">{shortName(columns, cell)}</span>
                    <span className="vh">{name}</span>
                  </>
                )}
                {isRight === true && <b className="lesson-right"> Right</b>}
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}

/** A cell as row and column, as the name of its button. */
function shortName(columns: number, cell: number): string {
  return `${Math.floor(cell / columns) + 1}, ${(cell % columns) + 1}`;
}

/** `Part 3 of 4`; of a tensor cut both ways `Rows 1, columns 3`. */
function cellName({ rows, columns }: Props["ask"], cell: number): string {
  const [row, column] = [Math.floor(cell / columns) + 1, (cell % columns) + 1];
  if (columns === 1) return `Part ${row} of ${rows}`;
  return rows === 1 ? `Part ${column} of ${columns}` : `Rows ${row}, columns ${column}`;
}
