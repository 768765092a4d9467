import { examples } from "#app/state";
import { pickFile } from "../export/pick-file.ts";
import { hasOnlyFingers } from "../screen.ts";
import { useActions } from "../store-context.tsx";

/** A first plan, one that is known from papers, and one in a system's own words. */
const names = ["two-matmuls", "megatron-mlp", "mindspore-net"];

/** Where there is no program yet: how one begins, three to begin with, and a place for a file. */
export function Starters() {
  const actions = useActions();
  const starters = names.flatMap((name) => examples.find((each) => each.name === name) ?? []);
  return (
    <div className="starters" data-testid="starters">
      <p>
        No operators yet. Write a call such as <code>y = matmul(x, w)</code>, or begin with one of
        these.
      </p>
      <ul>
        {starters.map(({ name, title, note }) => (
          <li key={name}>
            <button type="button" onClick={() => actions.openExample(name)}>
              {title}
              <small>{note}</small>
            </button>
          </li>
        ))}
      </ul>
      <div className="starters-drop">
        {hasOnlyFingers()
          ? "A text or a saved picture opens too: "
          : "Drop a text or a saved picture here, or "}
        <button type="button" className="lk" onClick={() => pickFile(actions)}>
          open a file
        </button>
        .
      </div>
    </div>
  );
}
