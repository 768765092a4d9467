import { examples } from "#app/examples";
import { diagnosticsOf } from "#app/state";
import { capitalized, type Diagnostic } from "#core/diagnostics";
import { pickFile } from "../export/pick-file.ts";
import { hasOnlyFingers } from "../screen.ts";
import { useActions, useApp } from "../store-context.tsx";

/** Three examples: a first plan, one known from papers, and one in a system's own words. */
const names = ["two-matmuls", "megatron-mlp", "mindspore-net"];

/** Shown where there is no program: how one begins, three examples, and a place for a file. */
export function StarterChoices() {
  const actions = useActions();
  const page = useApp((state) => diagnosticsOf(state).find(({ code }) => offering.test(code)));
  if (page?.fixes?.[0] !== undefined) return <PageBlocks page={page} />;
  const starters = names.flatMap((name) => examples.find((each) => each.name === name) ?? []);
  return (
    <div className="starters" data-testid="starters">
      <p>
        No operators yet. Paste a model: its Python, its <code>config.json</code>, StableHLO, a
        jaxpr, or the settings of its trainer. Or write a call such as <code>y = matmul(x, w)</code>
        , or begin with one of these.
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
          ? "A file opens too, ONNX, .pt2, .safetensors or a saved picture: "
          : "Drop a file here, ONNX, .pt2, .safetensors or a saved picture too, or "}
        <button type="button" className="lk" onClick={() => pickFile(actions)}>
          open a file
        </button>
        .
      </div>
    </div>
  );
}

/** Diagnostics with a way on: a page of documentation, and a text of which nothing runs. */
const offering = /^document\/(page|nothing-runs)$/;

/**
 * The ways on: the code blocks of a page, each of which can be opened alone, or the calls that a
 * text could run.
 */
function PageBlocks({ page }: { readonly page: Diagnostic }) {
  const { applyFix } = useActions();
  const isPage = page.code === "document/page";
  return (
    <div className="starters" data-testid={isPage ? "page-blocks" : "starters"}>
      <p>
        {capitalized(page.message)}
        {isPage ? "" : "."} Undo brings the text back.
      </p>
      <ul>
        {page.fixes?.map((fix) => (
          <li key={fix.title}>
            <button type="button" onClick={() => applyFix(fix)}>
              {fix.title}
              {isPage && <small className="mono">{linesBelow(fix.edits[0]?.text ?? "")}</small>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The number of a block's lines, and its last line. */
function linesBelow(text: string): string {
  const lines = text.trim().split("\n");
  return lines.length === 1 ? "1 line" : `${lines.length} lines, to ${lines.at(-1)?.trim()}`;
}
