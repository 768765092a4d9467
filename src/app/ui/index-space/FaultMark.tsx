import { CircleX, TriangleAlert } from "lucide-react";
import { nodeFaults } from "#app/state/run";
import type { OperatorId, TensorId } from "#core/ir";
import { useShared } from "../store-context.tsx";

/** Mark of an operator or tensor with a diagnostic, whose message is the accessible name. */
export function FaultMark({ of }: { readonly of: OperatorId | TensorId }) {
  const fault = useShared(nodeFaults).get(of);
  if (fault === undefined) return null;
  const isError = fault.severity === "error";
  const Icon = isError ? CircleX : TriangleAlert;
  return (
    <span className="fault-mark" title={fault.message} data-severity={fault.severity}>
      <Icon className={`ico ${isError ? "e" : "w"}`} size={14} strokeWidth={1.75} aria-hidden />
      <span className="vh">
        {fault.severity}: {fault.message}
      </span>
    </span>
  );
}
