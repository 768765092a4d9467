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
      <button type="button" className="btn line" onClick={() => void save("op")}>
        Save LoomGraph
      </button>
      <button type="button" className="btn line" onClick={() => void save("app")}>
        LoomGraph with shards
      </button>
    </>
  );
}
