import { keyed } from "../drawing/keyed.ts";

interface Props {
  readonly names: readonly string[];
  /** Index of the first column of figures, which are aligned at the right; none by default. */
  readonly figuresFrom?: number;
  /** Column whose heading is visually hidden, for screen readers only. */
  readonly hides?: string;
}

/** Head row of a table. */
export function TableHead({ names, figuresFrom = names.length, hides }: Props) {
  return (
    <thead>
      <tr>
        {keyed(names).map(({ key, item: name }) => (
          <th scope="col" key={key} className={key >= figuresFrom ? "n" : undefined}>
            {name === hides ? <span className="vh">{name}</span> : name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
