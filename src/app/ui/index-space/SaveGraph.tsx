import { Braces, Grid2x2 } from "lucide-react";
import { graphWords } from "#systems/graphs";
import { SaveRow } from "../export/SaveRow.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions, useApp } from "../store-context.tsx";

const { title } = graphWords;

/**
 * Saves the program as a graph: its operations, or its operations with the shards of the plan. An
 * imported graph is saved as it is, or with the shards that its plan cuts otherwise.
 */
export function SaveGraph() {
  const { writeGraph } = useActions();
  const texts = useApp((state) => state.document.texts);
  const save = async (dialect: "op" | "app") => {
    const own = dialect === "op" ? texts?.json : undefined;
    const text = own ?? (await writeGraph(dialect));
    if (text !== undefined) saveText(text, dialect === "op" ? "plan.json" : "plan-shards.json");
  };
  return (
    <>
      <SaveRow
        icon={Braces}
        name={`Save ${title}`}
        what={texts === undefined ? "JSON, whole operations" : "JSON, as it stands"}
        onSave={() => void save("op")}
      />
      <SaveRow
        icon={Grid2x2}
        name={`Save ${title} with shards`}
        what="JSON, cut as planned"
        onSave={() => void save("app")}
      />
    </>
  );
}
