import { RenameFields } from "../side/RenameFields.tsx";
import { useActions } from "../store-context.tsx";

/** The name to change, and its place in the text. */
export interface Renaming {
  readonly offset: number;
  readonly kind: "axis" | "variable";
  readonly name: string;
}

/** A line above the text that asks for the new name, and tells why a name is refused. */
export function RenameBar({
  renaming: { offset, kind, name },
  onClose,
}: {
  readonly renaming: Renaming;
  readonly onClose: () => void;
}) {
  const { rename } = useActions();
  const what = kind === "axis" ? "mesh axis" : "variable";
  return (
    <div className="rename-bar" role="dialog" aria-label={`Rename ${what} ${name}`}>
      <RenameFields
        name={name}
        label={
          <span>
            Rename {what} {name} to
          </span>
        }
        faultId="rename-fault"
        rename={(wanted) => rename(offset, wanted)}
        onDone={() => onClose()}
      />
    </div>
  );
}
