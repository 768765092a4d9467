import { shown } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/**
 * Note that the plan is of a forward pass only; one press adds `train(…)` if there is a single
 * result to be the loss.
 */
export function ForwardNote() {
  const compiled = useApp(shown);
  const source = useApp((state) => state.document.source);
  const commit = useApp((state) => state.commit);
  const start = useApp((state) => state.startPlan);
  const results = compiled === undefined ? [] : resultsOf(compiled);
  const [only] = results;
  const isClear = results.length === 1 && only !== undefined && /^[A-Za-z_]\w*$/u.test(only);
  // Whether the result is a variable of the text; otherwise it is a name inside a module and is
  // quoted.
  const isBound = new RegExp(`^(?! )(?:[\\w, ]*\\b)?${only}\\b[\\w, ]*=(?!=)`, "mu").test(source);
  const call = `train(${isBound ? only : `"${only}"`})`;
  const add = () => {
    commit(`${source.endsWith("\n") ? source : `${source}\n`}${call}\n`, "Add train(…)");
    void start();
  };
  return (
    <p className="planner-forward" data-testid="plan-forward">
      This is a forward pass: add <code>train(…)</code>?{" "}
      {isClear && (
        <button type="button" className="lk" onClick={add}>
          Add {call}
        </button>
      )}
    </p>
  );
}

/** Names of the tensors that no operator reads. */
function resultsOf({ graph }: Compiled): readonly string[] {
  const read = new Set(graph.operators.flatMap(({ inputs }) => inputs.map((each) => each.tensor)));
  return graph.tensors.flatMap(({ id, name, producer }) =>
    producer === undefined || read.has(id) ? [] : [name],
  );
}
