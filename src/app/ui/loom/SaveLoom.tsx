import { Braces, Grid2x2 } from "lucide-react";
import { SaveRow } from "../export/SaveRow.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions, useApp } from "../store-context.tsx";

/**
 * The program as LoomGraph JSON: its operations, or its operations with the shards of the plan. A
 * LoomGraph itself is saved as it stands, or with the shards that its plan cuts otherwise.
 */
export function SaveLoom() {
  const { writeLoom } = useActions();
  const texts = useApp((state) => state.document.texts);
  const save = async (dialect: "op" | "app") => {
    const own = dialect === "op" ? texts?.json : undefined;
    const text = own ?? (await writeLoom(dialect));
    if (text !== undefined) saveText(text, dialect === "op" ? "plan.json" : "plan-shards.json");
  };
  return (
    <>
      <SaveRow
        icon={Braces}
        name="Save LoomGraph"
        what={texts === undefined ? "JSON, whole operations" : "JSON, as it stands"}
        onSave={() => void save("op")}
      />
      <SaveRow
        icon={Grid2x2}
        name="Save LoomGraph with shards"
        what="JSON, cut as planned"
        onSave={() => void save("app")}
      />
    </>
  );
}
