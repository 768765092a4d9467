import { formatBytes } from "#app/scene/text";
import type { PolicyOutcome } from "#compile";

type Planned = Extract<PolicyOutcome, { readonly kind: "planned" }>;
type PolicyList = NonNullable<Planned["lists"]>[number];

const forms: Readonly<Record<PolicyList["form"], string>> = {
  raw: "Raw list",
  clean: "Cleaned up, as 2.10 compiles it",
  both: "The list, raw and cleaned up",
  "all-to-all": "With enable_alltoall",
};

interface Props {
  readonly outcome: Planned;
  /** Whether only the lists before and after the clean-up pass are shown. */
  readonly changedOnly?: boolean;
  /** The number of columns of the table. */
  readonly columns: number;
}

/** The system's own primitives on an edge, before and after its clean-up pass, a line each. */
export function PolicyLists({ outcome, changedOnly = false, columns }: Props) {
  const { lists = [], policy } = outcome;
  const shown = changedOnly
    ? lists.filter(({ form }) => form === "raw" || form === "clean")
    : lists;
  return shown.map(({ form, text, bytes, largestBytes }) => (
    <tr className="policy-why sys-why mut" key={form} data-testid={`list-${policy}-${form}`}>
      <td colSpan={columns}>
        {forms[form]}: {text || "nothing"}; {formatBytes(bytes)} received, blocks up to{" "}
        {formatBytes(largestBytes)}.
      </td>
    </tr>
  ));
}
