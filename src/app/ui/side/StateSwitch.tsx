import { type Reader, stateName, type TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";
import { useSaidView } from "../use-said-view.ts";

/** The most readers that stand side by side; more are in a list. */
const abreast = 3;

interface Props {
  readonly tensor: Tensor;
  readonly view: TensorView;
}

/**
 * The state of a tensor that is drawn, named and edited: at rest or as one reader holds it, as
 * placed or as produced.
 */
export function StateSwitch({ tensor, view }: Props) {
  const said = useSaidView(view);
  const { reads = [], shown } = said;
  const showAs = useApp((state) => state.showAs);
  const choose = (key: string) =>
    showAs(
      tensor.id,
      reads.find((read) => keyOf(read) === key),
    );
  const choices = [undefined, ...reads].map(
    (read) => [keyOf(read), stateName(said, read)] as const,
  );
  const label = `State of ${tensor.name}`;
  return (
    <div className="states" data-testid={`states-${tensor.name}`}>
      {reads.length > abreast ? (
        <select
          className="states-list"
          aria-label={label}
          value={keyOf(shown)}
          onChange={(event) => choose(event.target.value)}
        >
          {choices.map(([key, name]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <Segmented label={label} value={keyOf(shown)} choices={choices} onChange={choose} />
      )}
    </div>
  );
}

function keyOf(read: Reader | undefined): string {
  return read === undefined ? "first" : `${read.operator} ${read.operand}`;
}
