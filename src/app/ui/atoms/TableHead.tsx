import { keyed } from "../drawing/keyed.ts";

interface Props {
  readonly names: readonly string[];
  /** The first column of figures, which stand at the right; none when unsaid. */
  readonly figuresFrom?: number;
  /** A column whose name is for who listens alone. */
  readonly hides?: string;
}

/** The headings of a table's columns. */
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
