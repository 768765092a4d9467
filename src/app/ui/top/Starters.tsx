import { exampleGroups } from "#app/state";
import { pickFile } from "../export/pick-file.ts";
import { useActions } from "../store-context.tsx";

/** Where there is no program yet: how one begins, three to begin with, and a place for a file. */
export function Starters() {
  const actions = useActions();
  const starters = (exampleGroups[0]?.examples ?? []).slice(0, 3);
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
        Drop a text or a saved picture here, or{" "}
        <button type="button" className="lk" onClick={() => pickFile(actions)}>
          open a file
        </button>
        .
      </div>
    </div>
  );
}
