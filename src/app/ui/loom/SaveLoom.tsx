import { Braces, Grid2x2 } from "lucide-react";
import { SaveRow } from "../export/SaveRow.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions } from "../store-context.tsx";

/** The program as LoomGraph JSON: its operations, or its operations with the shards of the plan. */
export function SaveLoom() {
  const { writeLoom } = useActions();
  const save = async (dialect: "op" | "app") => {
    const text = await writeLoom(dialect);
    if (text !== undefined) saveText(text, dialect === "op" ? "plan.json" : "plan-shards.json");
  };
  return (
    <>
      <SaveRow
        icon={Braces}
        name="Save LoomGraph"
        what="JSON, whole operations"
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
